"""The words that introduce a secret, as parts of regular expressions, and those that stand behind them in prose."""

from privguard.detect.found import listed

LOGIN_WORD = (
    r"(?:pass ?word|passwd|passwort|passwörter|pwd|pw|passphrase|passcode|pass(?=\s?[:=])|kennwort|kundenkennwort|"
    r"wachtwoord|contraseña|contrasena|clave|senha|"
    r"mot de passe|mdp|password d'accesso|parola d'ordine|palavra-passe|hasło|lösenord|adgangskode|passord|salasana|"
    r"parola|şifre|"
    r"пароль|пароля|κωδικός|"
    r"كلمة (?:السر|المرور)|סיסמה|密码|密碼|パスワード|비밀번호|पासवर्ड|mật khẩu|kata sandi|nenosiri|"
    r"memorable (?:word|place|name|date)|code ?word|kodeord|duress phrase|safe ?word|رمز)"
)
CODE = (
    r"(?:pin(?:[- ]?(?:code|number))?|otp|2fa(?:[- ]?code)?|cvv|cvc|cvv2|tan|puk|(?:security|access|door|gate|alarm|"
    r"entry|lockbox|safe|verification|one[- ]time|"
    r"backup|recovery|unlock|zugangs|tür|sicherheits|wifi|wi-fi|wlan)[- ]?(?:code|key|pin|password|passwort)|"
    r"geheimzahl|código|codice(?: di sicurezza)?|code d'accès|toegangscode|kod)"
)
KEY = (
    r"(?:[\w-]{0,30}(?:api[_ -]?key|apikey|secret(?:[_ -]?(?:access[_ -]?)?key)?|access[_ -]?key|auth[_ -]?key|"
    r"private[_ -]?key|client[_ -]?secret|"
    r"access[_ -]?token|auth[_ -]?token|refresh[_ -]?token|bearer[_ -]?token|bot[_ -]?token|api[_ -]?token|session[_ "
    r"-]?(?:id|key|token)|csrf[_ -]?token|token|"
    r"jeton|signing[_ -]?key|encryption[_ -]?key|webhook[_ -]?secret|credential|psk|preshared[_ -]?key|presharedkey|"
    r"privatekey|license[_ -]?key|"
    r"passwd|password|passwort|pwd|_pass|_pw|_key|secret))"
)
SECRETLESS = listed(
    "a an the is are was were be been being required requires optional missing invalid incorrect "
    "wrong expired expires reset change "
    "changed changing protected protection policy policies manager managers field fields form hash hashed hashes "
    "hashing input length strength "
    "limit limits limited count counts usage budget window windows prompt completion generation based stored storage "
    "rotation rotated rotate "
    "not never no none null nil undefined true false string str int number text bool boolean type any object array "
    "function "
    "and or but if then so for from to in on at of by with without via as that this these those it its his her their "
    "our my your "
    "must should can could will would may might has have had does do did done here there very too also only just "
    "again still "
    "santa garden sauce ingredient agent agents service recipe weapon admirer life lives meeting society ballot base "
    "bases bytes byte "
    "value values name names id ids code codes key keys token tokens secret secrets password passwords passwort "
    "kennwort user username "
    "card cards chain chains point points part parts person people figure role word words issue issues question "
    "nicht kein keine erforderlich falsch ungültig abgelaufen vergessen zurücksetzen geändert sicher muss wird wurde "
    "und oder für mit "
    "requerida incorrecta olvidada obligatoire incorrect oublié requis obbligatoria errata "
    "environ env env_var placeholder example redacted xxx xxxx hidden masked tbd n/a todo above below following same "
    "different correct valid "
    "weak strong secure safe unsafe unknown known shared public private empty blank ok fine good bad long short old "
    "new "
    "you i we he she they what which who when where why how all some each every both "
    "works working worked failed fails fail gets got get set sets sent send lost found forgotten forgot saved needed "
    "need "
    "ship ships pictures picture refresh parsing stream streams per max min total embedding embeddings")  # fmt: skip
