"""Bank accounts, wallets, amounts of money."""

import re
import string
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.cards import find_cards
from privguard.detect.found import near, take, words
from privguard.detect.prepared import Leads, Prepared, match_at, places_of

_IBAN = lazy_pattern(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:(?:[ \u00a0\u202f]{1,2}|[ \u00a0\u202f]?[-./_][ \u00a0\u202f]?)?[A-Za-z0-9])"
    r"{11,31}"
)
_USUAL_IBAN = lazy_pattern(r"[A-Za-z0-9]+(?:[ \u00a0\u202f.-][A-Za-z0-9]+)*")
# Length by country: SWIFT IBAN registry.
_IBAN_LENGTHS = {
    country: int(length)
    for length, countries in {
        "15": "NO", "16": "BE", "18": "DK FI FO GL NL", "19": "MK SI", "20": "AT BA EE KZ LT LU XK",
        "21": "CH HR LI LV", "22": "BG BH CR DE GB GE IE ME RS VA", "23": "AE GI IL IQ OM TL SO",
        "24": "AD CZ ES MD PK RO SA SE SK TN VG", "25": "LY PT ST", "26": "IS TR", "27": "BI DJ FR GR IT MC MR SM",
        "28": "AL AZ BY CY DO GT HN HU LB NI PL SV", "29": "BR EG PS QA UA", "30": "JO KW MU", "31": "MT SC",
        "33": "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
_IBAN_WORD = lazy_pattern("iban", re.IGNORECASE)
_IBAN_FORM = lazy_pattern(r"[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_ENDING_LEADS = Leads("card visa mastercard amex account acct karte carte tarjeta carta konto")
_LAST_DIGITS = lazy_pattern(
    r"(?<!\w)(?:card|visa|mastercard|amex|account|acct|karte|carte|tarjeta|carta|konto)\b[^\n.;]{0,25}?"
    r"(?:ending(?: in| with)?|ends (?:in|with)|last (?:4|four)(?: digits)?(?: of card)?:?|endet auf|finissant par|"
    r"terminada en|[*x•]{2,})\s?(?P<v>\d{4})(?!\d)|last (?:4|four) of (?:my )?card:? (?P<w>\d{4})(?!\d)",
    re.IGNORECASE,
)
_MASKED = lazy_pattern(
    r"(?<!\w)(?P<v>\d{4}[ -]?\d{2}[*xX•]{2}[ -]?[*xX•]{4}[ -]?\d{4})(?!\d)"
    r"|(?<!\w)(?:[*xX•]{4}[ -]?){1,3}(?P<w>\d{4})(?!\d)"
)
_SHORTEST_WALLET = 14
_CRYPTO = lazy_pattern(
    r"(?<![A-Za-z0-9])(?:0x[0-9a-fA-F]{40}|(?:bc1|tb1|ltc1)[a-z0-9]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34}"
    r"|[LM][1-9A-HJ-NP-Za-km-z]{26,33}|T[1-9A-HJ-NP-Za-km-z]{33}|4[0-9AB][1-9A-HJ-NP-Za-km-z]{93}|"
    r"r[1-9A-HJ-NP-Za-km-z]{25,34}"
    r"|addr1[a-z0-9]{50,110})(?![A-Za-z0-9])"
)
_WALLET_WORD = lazy_pattern(
    words("wallet bitcoin btc eth ethereum litecoin ltc tron usdt monero xmr xrp ripple crypto coin address usdc bsc"),
    re.IGNORECASE,
)
_ACCOUNT_WORDS = (
    "account acct a/c account_number account_no acc bank_account savings_account checking routing routing_number aba "
    "sort_code sortcode bsb konto kontonummer kontonr kto depot depotnummer blz bankverbindung compte rib "
    "numéro_de_compte cuenta número_de_cuenta clabe conto conto_corrente rekening rekeningnummer conta agência "
    "numer_konta konto_nr счёт счет 계좌 계좌번호 口座 账号 stk lånenummer loan_number isa holder's_no"
)
_ACCOUNT_LEADS = Leads(_ACCOUNT_WORDS)
_ACCOUNT = lazy_pattern(
    rf"{words(_ACCOUNT_WORDS)}[\"']?(?:\s?(?:no|nr|num|number|nummer|n°|nº|#|ending)\b\.?)?\s{{0,2}}(?:[:=#]|is|ist|est|"
    rf"es)?\s{{0,2}}[\"']?"
    r"(?P<v>(?:[A-Z]{1,4}[-/ ]?)?\d(?:[ -]?\d){4,22}(?!\w))",
    re.IGNORECASE,
)
_BIC = lazy_pattern(
    r"(?:BIC|SWIFT)(?:[ -]?(?:code|/SWIFT|/BIC))?\s{0,2}[:=]?\s{0,2}(?P<v>[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?!\w)"
)
_SORT_CODE = lazy_pattern(r"(?<![\w-])\d{2}-\d{2}-\d{2}(?:(?:,? |,? ?/ ?)\d{8}(?!\w)|(?=,? (?:a/c|account|acc)))")

_NUMBER = r"\d{1,3}(?:[., '\u2019\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_BOUNDED = _NUMBER.replace("+", "{1,12}", 1)  # from each of many groups in a row, no more than these are read
_SCALE = (
    r"(?:\s?(?:k|K|m|M|mn|bn|B|tsd\.?|Tsd\.?|Mio\.?|Mrd\.?|million|millions|billion|thousand|Millionen|Milliarden|"
    r"millones|milioni|miljoen|milhões|lakh|crore|grand)(?!\w))?"
)
_CODES = (
    "EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|INR|PKR|BDT|LKR|CNY|RMB|HKD|TWD|KRW|SGD|MYR|"
    "THB|IDR|PHP|VND|AUD|NZD|CAD|MXN|BRL|ARS|CLP|COP|PEN|ZAR|KES|NGN|GHS|UGX|TZS|EGP|MAD|AED|SAR|QAR|ILS|BTC|ETH|XOF"
)
_UNITS = (
    r"€|£|\$|¥|₹|₽|₩|₺|₴|zł|Kč|Ft|lei|kr\.?|kn|(?:US|A|C|NZ) ?dollars?|euros?|dollars?|pounds?|quid|bucks|francs?|"
    r"Franken|"
    r"pesos?|rupees?|reais|rubles?|"
    r"рублей|руб\.?|"  # noqa: RUF001 - Russian words
    r"₫|đồng|درهم|ريال|元|円|원|zlotych|złotych|kronor|kroner|yen|yuan|rand"
)
_AMOUNT = lazy_pattern(
    rf"(?<![\w$])(?:US|A|C|NZ|HK|R|S)?[$€£¥₹₽₩₺₴₦₫฿]\s?(?:{_NUMBER}){_SCALE}(?!\d)"
    rf"|(?<!\w)(?:{_CODES}|CHF|Rs\.?|kr|Fr\.)\s?(?:{_NUMBER}){_SCALE}(?!\d)"
    rf"|(?<![\w.,])(?:{_BOUNDED}){_SCALE}\s?(?:{_UNITS}|{_CODES})(?!\w)"
)
_LONGEST_CURRENCY = 4  # a code and the space behind it
_CURRENCY = frozenset("$€£¥₹₽₩₺₴₦₫฿") | frozenset(string.ascii_uppercase) | {"k"}
_NO_AMOUNT = lazy_pattern(r"\$\d|PHP ?[4-9]\.\d")  # an argument of a shell, a version of PHP


def find_accounts(view: Prepared) -> Iterator[Span]:
    """Find bank accounts, cards, wallets and amounts."""
    text = view.text
    if "BIC" in text or "SWIFT" in text:
        yield from take(_BIC.finditer(text), EntityType.FIN_ACCOUNT, 0.7, "rules/bic")
    if not view.numbers:
        return
    exact = [*find_ibans(view), *find_cards(view)]
    yield from exact
    yield from _wallets(view)
    # A word before an IBAN or a card must not stretch it over the digits that follow.
    checked = {place for span in exact for place in (span.start, span.end - 1)}
    accounts = match_at(_ACCOUNT, text, _ACCOUNT_LEADS.starts(view))
    for span in take(accounts, EntityType.FIN_ACCOUNT, 0.7, "rules/account"):
        if checked.isdisjoint(range(span.start, span.end)):
            yield span
    sort_codes = match_at(_SORT_CODE, text, (start for start, _ in view.numbers))
    yield from take(sort_codes, EntityType.FIN_ACCOUNT, 0.7, "rules/sort-code")
    yield from _card_endings(view)
    for match in match_at(_AMOUNT, text, _amount_starts(view)):
        if not _NO_AMOUNT.fullmatch(match.group()):
            yield Span(start=match.start(), end=match.end(), kind=EntityType.FINANCE, score=0.7, source="rules/amount")


def _wallets(view: Prepared) -> Iterator[Span]:
    text = view.text
    starts = (
        start + place
        for start, code in view.codes
        if len(code) >= _SHORTEST_WALLET
        for place in range(len(code))
        if not place or not (code[place - 1].isascii() and code[place - 1].isalnum())
    )
    for match in match_at(_CRYPTO, text, starts):
        value = match.group()
        sure = value.startswith(("0x", "bc1", "ltc1", "addr1", "tb1"))
        if sure or (any(map(str.isdecimal, value)) and near(text, *match.span(), _WALLET_WORD)):
            yield Span(
                start=match.start(), end=match.end(), kind=EntityType.FIN_ACCOUNT, score=0.9, source="rules/wallet"
            )


def _card_endings(view: Prepared) -> Iterator[Span]:
    text = view.text
    starts = sorted({*_ENDING_LEADS.starts(view), *places_of(view.folded, "last 4 of", "last four of")})
    for match in match_at(_LAST_DIGITS, text, starts):
        start, end = match.span("v" if match["v"] else "w")
        yield Span(start=start, end=end, kind=EntityType.FIN_ACCOUNT, score=0.7, source="rules/card-ending")
    if any(_is_masked(text, start) for start, end in view.numbers if end - start == 4):
        for match in _MASKED.finditer(text):
            start, end = match.span("v" if match["v"] else "w")
            yield Span(start=start, end=end, kind=EntityType.FIN_ACCOUNT, score=0.7, source="rules/card-ending")


def _is_masked(text: str, start: int) -> bool:
    before = text[max(0, start - 2) : start].removesuffix(" ").removesuffix("-")
    return before.endswith(("*", "x", "X", "•"))


def _amount_starts(view: Prepared) -> Iterator[int]:
    """Yield where an amount may begin: at each number, and where a currency may begin before it."""
    text = view.text
    last = 0
    for number, end in view.numbers:
        for start in range(max(last, number - _LONGEST_CURRENCY), number):
            if text[start] in _CURRENCY:
                yield start
        yield number
        last = end


def find_ibans(view: Prepared) -> Iterator[Span]:
    """Find IBANs by the exact length of their country, so that neighbours never change the verdict.

    One with a typing error counts as well where it is of digits mostly, and one of a wrong length where the word stands
    before it.
    """
    text = view.text
    done = 0
    for number, _ in view.numbers:
        start = number - 2
        match = _IBAN.match(text, start) if start >= done and text[start:number].isalpha() else None
        span = _judge_iban(text, match) if match else None
        if span:
            done = span.end
            yield span


def _judge_iban(text: str, match: re.Match[str]) -> Span | None:
    start = match.start()
    named = near(text, start, start, _IBAN_WORD, before=20, after=0)
    length = _IBAN_LENGTHS.get(text[start : start + 2].upper(), 0)
    places = [place for place, letter in enumerate(match.group(), start) if letter.isalnum()]
    end, score = start, 0.0
    if length and len(places) >= length:
        end = places[length - 1] + 1
        value = "".join(text[place] for place in places[:length]).upper()
        valid = int("".join(str(int(letter, 36)) for letter in value[4:] + value[:4])) % 97 == 1
        likely = (named or sum(map(str.isdecimal, value)) >= length - 8) and _USUAL_IBAN.fullmatch(text, start, end)
        score = 1.0 if valid else 0.8 if likely and not text[end : end + 1].isalnum() else 0.0
    if not score and named and (form := _IBAN_FORM.match(text, start)):
        end, score = form.end(), 0.6
    return Span(start=start, end=end, kind=EntityType.FIN_ACCOUNT, score=score, source="rules/iban") if score else None
