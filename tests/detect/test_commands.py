import pytest

from privguard.detect.commands import find_commands
from privguard.detect.merge import merge
from privguard.detect.prepared import Prepared
from tests.growth import grows_in_proportion


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in merge(find_commands(Prepared(text=text)), text)]


@pytest.mark.parametrize("value", ["Moor_7781", "winter2288", "Falken", "kestrel-12", "p%40x!9", "envoy77"])
@pytest.mark.parametrize(
    "line",
    [
        "zip -P {} out.zip f",
        "zip -rP {} out.zip dir",
        "unzip -P {} out.zip",
        "unzip -P'{}' out.zip",
        "7z x -p{} a.7z",
        "rar a -hp{} a.rar dir",
        "sshpass -p {} ssh tala@192.0.2.1",
        "sshpass -p'{}' ssh host",
        "mysql -u root -p{} shop",
        "mysqldump --host db -p'{}' shop > x.sql",
        "curl -u tala:{} https://x.example",
        "curl -sSu 'tala:{}' https://x.example",
        "docker login -u tala -p {} registry.example",
        "openssl rsa -in k.pem -passin pass:{}",
        "openssl enc -aes-256-cbc -k {} -in a",
        "htpasswd -b .htpasswd tala {}",
        "htpasswd -nbB tala {}",
        "net use Z: \\\\srv\\share /user:corp\\tala {}",
        "net use \\\\srv\\share {} /user:tala",
        "net user tala {} /add",
        "gpg --batch --passphrase {} -d a.gpg",
        "redis-cli -h db -a {} ping",
        "ldapsearch -x -D cn=a -w {} -b dc=x",
        "smbclient //srv/share -U tala%{}",
        "smbclient -U 'CORP\\tala%{}' //srv/share",
        "sqlcmd -S db -U sa -P {}",
        "mongosh --username tala -p {}",
        "lftp -u tala,{} ftp.example",
        "keytool -list -storepass {}",
        "plink -pw {} tala@host",
        "xfreerdp /u:tala /p:{} /v:host",
        "cmdkey /add:srv /user:tala /pass:{}",
        "rabbitmqctl add_user tala {}",
        "wpa_passphrase Home {}",
        "pdftk a.pdf input_pw {} output b.pdf",
        "mytool --db-password {} run",
        "mytool --verbose --passphrase '{}'",
        "echo {} | sudo -S apt update",
        "echo '{}' | sudo -S -k true",
        'echo -n "{}" | docker login --password-stdin',
        "printf '%s\\n' '{}' | sudo -S ls",
        "echo tala:{} | chpasswd",
        "echo {} | kinit tala",
        "sudo -S ls <<< '{}'",
        "SSHPASS={} sshpass -e ssh host",
        "MYSQL_PWD='{}' mysql shop",
        "SMTP_PASS={}",
        "CREATE USER tala IDENTIFIED BY '{}'",
        "alter user tala@host identified with plugin by '{}'",
        "requirepass {}",
        "bindpw {}",
        "snmp-server community {} RO",
        "redis-cli AUTH {}",
        "ConvertTo-SecureString '{}' -AsPlainText -Force",
        "subprocess.run(['zip', '-P', '{}', 'out.zip'])",
        '["curl", "-u", "tala:{}", "https://x.example"]',
    ],
)
@pytest.mark.parametrize(("before", "after"), [("", ""), ("why does it fail?\n$ ", "\nthanks"), ("`", "`")])
def test_the_secret_of_a_command_is_found(line: str, value: str, before: str, after: str) -> None:
    assert _found(before + line.format(value) + after) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "docker run -p 8080:80 --name web nginx",
        "mysql -u root -p shop",
        "mysql -P 3306 -h db",
        "mkdir -p a/b && ssh -p 2222 host && unzip -p a.zip",
        "sshpass -e ssh host; sshpass -f file ssh host",
        "zip -P $PASS out.zip; zip -P <password> out.zip; zip -P PASSWORD out.zip",
        "the -P option of zip is unsafe, and zip -P with it too",
        "use curl -u user:password https://x.example",
        "curl -u $USER:$PASS https://x.example; curl -u user https://x.example",
        "openssl rsa -passin env:PASS; openssl req -passout file:p.txt -newkey rsa:2048",
        "net use of water; net user growth was slow",
        "echo hello | sudo tee x; echo yes | apt install",
        "echo $PASS | sudo -S true",
        "gpg --passphrase-file p.txt; the --password flag",
        "the secret is to use --token and --api-key from the environment",
        "http request and https -a",
        "7z x -pa; redis-cli -p 6379",
        "tar -xzf a.tgz && grep -P pattern x",
        "it is identified by session_id, a tag identified by 'tag_one', and the community grows; a community of people",
        "DB_PASS=$DB_PASS DB_PASS=<secret>",
    ],
)
def test_other_options_variables_and_prose_are_none(text: str) -> None:
    assert _found(text) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "zip -P ",
        "curl 'a",
        "echo x | ",
        'zip "',
        "net use \\\\a ",
        " -p",
        "a <<< b ",
        "mysql -p\\",
        "A_PASS=",
        "['zip', ",
    ],
)
def test_a_long_text_costs_time_in_proportion(piece: str) -> None:
    assert grows_in_proportion(lambda text: list(find_commands(Prepared(text=text))), piece, 5_000)
