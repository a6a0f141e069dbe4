"""Identity numbers and reference numbers, by the word that introduces them and the shape that follows."""

import re
import string
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.found import listed, words
from privguard.detect.prepared import Leads, Prepared, match_at

_GOV_WORDS = (
    "ni ird upn cnic cnp ktn uci uan gmc afm naati labour_card tax_code vergi_no reg_no vers_nr r_č t_c pasaport "
    "share_code ssn social_security social_security_number social_security_no itin ein tin tax_id taxpayer_id "
    "tax_number utr nino "
    "ni_number ni_no national_insurance national_insurance_number nhs nhs_number nhs_no passport passport_number "
    "passport_no driver's_license driver's_licence drivers_license driving_licence driving_license driver_license "
    "licence_no license_no licence_number license_number national_id identity_card id_card id_card_number id_number "
    "id_no citizen_id personal_number alien_number a-number uscis visa_number green_card visa_no eori vat vat_no "
    "vat_id "
    "vat_number vat_reg vrn company_number company_no co_no abn acn tfn medicare_number medicare_no medicare sin nhi "
    "nric fin aadhaar aadhar pan voter_id gstin ration_card nin bvn kra kra_pin id emirates_id iqama ghana_card hkid "
    "personalausweis personalausweisnummer ausweis ausweisnummer reisepass reisepassnummer reisepass-nr führerschein "
    "führerscheinnummer steuernummer steuer-id steueridentifikationsnummer identifikationsnummer idnr steuer-idnr "
    "st-nr "
    "sozialversicherungsnummer sv-nummer sv-nr svnr rentenversicherungsnummer versichertennummer "
    "krankenversichertennummer "
    "kvnr ust-id ust-idnr ust-idnr. handelsregister hrb hra ahv ahv-nr ahv-nummer avs uid "
    "passeport numéro_de_sécurité_sociale sécurité_sociale nir insee siret siren carte_d'identité permis_de_conduire "
    "numéro_fiscal dni nie nif cif pasaporte seguridad_social nuss curp rfc rut run cuit cuil cédula cedula cc "
    "codice_fiscale cf c.f. partita_iva p.iva piva passaporto carta_d'identità patente tessera_sanitaria "
    "bsn burgerservicenummer paspoort rijbewijs identiteitskaart rijksregisternummer kvk btw "
    "cpf cnpj rg cartão_de_cidadão passaporte nis pis niss número_de_utente "
    "pesel nip regon dowód_osobisty dowód paszport personnummer personnr samordningsnummer cpr cpr-nr fødselsnummer "
    "kennitala henkilötunnus hetu rodné_číslo rč cnp jmbg oib egn tckn tc tc_kimlik kimlik_no "
    "паспорт инн снилс снілс паспорта αφμ αμκα αδτ ת.ז ת״ז "
    "cccd cmnd nik ktp npwp आधार पैन हويّة 身份证 身份证号 護照 护照 マイナンバー 주민등록번호 주민번호 여권 여권번호"
)
_RECORD_WORDS = (
    "file folio personnel_no envelope_no wagon specimen_id order order_id order_no order_number order_ref "
    "purchase_order po ticket ticket_id ticket_no ticket_number case "
    "case_id case_no case_number docket docket_no file_no file_number file_ref matter claim claim_no claim_id "
    "claim_number policy policy_no policy_number policy_id patient_id patient_no patient_number patient mrn "
    "medical_record medical_record_number hospital_no hospital_number hosp_no chart chart_no encounter accession "
    "accession_no sample_id specimen employee employee_id employee_no employee_number emp_id emp_no staff_id staff_no "
    "staff_number payroll payroll_no badge badge_no student_id student_no student_number matric member_id member_no "
    "member_number membership membership_no membership_number customer customer_id customer_no customer_number "
    "client_id "
    "client_no client_number client_ref invoice invoice_no invoice_number invoice_id receipt receipt_no booking "
    "booking_ref booking_id booking_no booking_reference reservation reservation_code confirmation "
    "confirmation_number confirmation_code pnr tracking tracking_no tracking_number tracking_id parcel shipment "
    "consignment awb container reference reference_no reference_number ref ref_no our_ref your_ref incident "
    "incident_no "
    "incident_id crime_ref report_no complaint complaint_no contract contract_no contract_number agreement_no loan "
    "loan_no "
    "loan_number mortgage_no prescription rx permit permit_no registration_no registration_number reg_no "
    "application_no application_id "
    "application_number receipt_number transaction transaction_id txn session_id request_id prison_no prison_number "
    "inmate "
    "docket_number badge_number rma serial_no lot_no batch_no record_id record_no user_no subscriber_id "
    "subscriber_no group_no certificate certificate_no certificate_number licence license "
    "auftrag auftragsnummer auftrags-nr bestellung bestellnummer bestell-nr ticketnummer aktenzeichen az "
    "aktennummer geschäftszeichen fallnummer fall-nr vorgang vorgangsnummer patientennummer patienten-nr patientennr "
    "personalnummer "
    "personal-nr personalnr pers.nr mitarbeiternummer kundennummer kunden-nr kundennr kd-nr vertragsnummer vertrags-nr "
    "vertrag versicherungsnummer versicherungsschein policennummer police schadennummer schaden-nr rechnungsnummer "
    "rechnung "
    "rechnungs-nr rechnungsnr mitgliedsnummer mitglieds-nr matrikelnummer matrikel-nr matrikelnr sendungsnummer "
    "buchungsnummer buchungscode referenz zählernummer mietvertrag "
    "commande numéro_de_commande n°_de_commande dossier numéro_de_dossier facture numéro_client n°_client client "
    "référence réf matricule contrat numéro_de_contrat réservation sinistre police_n° "
    "pedido número_de_pedido expediente nº_expediente factura referencia póliza paciente historia_clínica empleado "
    "cliente número_de_cliente reserva localizador contrato reclamación "
    "ordine numero_ordine pratica fattura codice_cliente riferimento polizza cartella_clinica matricola prenotazione "
    "contratto protocollo sinistro "
    "bestelling bestelnummer ordernummer zaaknummer dossiernummer klantnummer polisnummer factuurnummer factuur "
    "personeelsnummer patiëntnummer kenmerk reserveringsnummer contractnummer "
    "encomenda número_do_pedido processo fatura apólice prontuário protocolo referência número_do_cliente "
    "zamówienie nr_zamówienia numer_sprawy sygnatura faktura nr_klienta polisa umowa ordernr ärende ärendenummer "
    "kundnummer fakturanummer sipariş sipariş_no dosya_no müşteri_no rezervasyon_kodu заказ дело договор полис "
    "工号 订单 订单号 单号 案号 病历号 学号 会员号 受付番号 注文番号 会員番号 社員番号 "
    "발급번호 주문번호 사번 mã_đơn mã_số resi"
)
_GOV_LEADS = Leads(_GOV_WORDS)
_RECORD_LEADS = Leads(_RECORD_WORDS)
_LINK = (
    r"[\"'”]?\s?(?:(?:no|nos|nr|num|number|nummer|nº|n°|№|#|id|code|ref|key|reference|expired|ends?|ending|card|"
    r"details)\b\.?|n[.º°]|[№#])?"
    r"\.?\)?\s{0,2}(?:[:=]|->|\bis\b|\bwas\b|\bist\b|\best\b|\bes\b|\blautet\b|\bè\b|\bé\b|"
    r"\bto\b)?\s{0,2}(?:\bin\b\s)?[\"'“(<>]{0,2}"
)
_GOV = re.compile(
    rf"{words(_GOV_WORDS)}{_LINK}(?P<v>(?=[A-Z0-9 ./-]{{0,12}}\d)(?:[A-Z]{{1,5}}[ -]?)?\d[A-Z0-9]*(?:[ "
    rf"./-]{{1,2}}\d[A-Z0-9]*){{0,6}}"
    r"(?:[ -]?[A-Z]\b)?(?:[ -]?[A-Z]{2}\b)?|(?=[A-Z]{0,8}\d)[A-Z0-9]{5,24}|[A-Z\u0391-\u03a9]{2,5}(?: "
    r"(?=[A-Z]{0,4}\d)[A-Z0-9]{2,8}){1,3})(?!\w)",
    re.IGNORECASE,
)
_RECORD = re.compile(
    rf"{words(_RECORD_WORDS)}{_LINK}(?P<v>\d{{1,4}}(?: \d{{2,4}}){{2,4}}|(?-i:[A-Z]{{2,4}} \d{{4,10}}(?:-\d)?)|"
    rf"#?(?=[\w./-]{{0,24}}\d)[^\W_](?:[^\W_]|[-/._](?=[^\W_])){{2,34}}"
    r"(?: \d{2,6}){0,3})(?!\w)",
    re.IGNORECASE,
)
_HASH_NUMBER = re.compile(r"(?P<v>#(?<![\w&/#]#)\d{5,12})(?!\w)")
_CAPITALS = f"{string.ascii_uppercase}{string.digits}-/"
_LONGEST_PREFIX = 21  # of `_SHAPED`, before the digits
_SHAPED = re.compile(
    r"(?<![\w/.#=-])(?P<v>[a-z]{1,6}_(?=[A-Za-z]{0,20}\d)(?:\d{4,20}|[A-Za-z0-9]{8,40})|"
    r"[A-Z]{1,6}(?:[-/][A-Z0-9]{1,6}){0,2}[-/]\d{4,}(?:[-/][A-Z0-9]{1,10}){0,3}|[A-Z]{2,5}\d{2}[A-Z]\d{5})(?![\w/]|"
    r"[-.]\w)"
)
_STANDARD = re.compile(
    r"(?:ISO|RFC|CVE|UTF|SHA|MD|ISBN|ISSN|IEEE|DIN|EN|COVID|SARS|GPT|HTTP|CWE|PEP|AES|RSA|IEC|EC|EU|NGC|ASTM|ANSI|TS|"
    r"GB|QA|Q|FY|TCP|UDP|KB)[-/]"
)
_WEAK_GOV = listed("id ni pan fin cc run tin medicare uid cf rg tc nis pis vat sin kra rfc cif nie passport")
_YEAR = re.compile(r"(?:19|20)\d{2}(?:[-/.]\d{2,4}|s)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
_QUANTITY = re.compile(
    r"\s?(?:%|€|£|\$|euros?\b|EUR\b|USD\b|GBP\b|kg\b|ml\b|mg\b|km\b|people\b|items\b|pieces\b|units\b|:\d|[.,]\d)"
)


def find_references(view: Prepared) -> Iterator[Span]:
    """Find identity numbers and reference numbers."""
    if not view.numbers:
        return
    text = view.text
    for match in match_at(_GOV, text, _GOV_LEADS.starts(view)):
        span = _judge(text, match, EntityType.GOV_ID, least=6 if _word(match) in _WEAK_GOV else 4)
        if span:
            yield span
    for match in match_at(_RECORD, text, _RECORD_LEADS.starts(view)):
        span = _judge(text, match, EntityType.RECORD_ID, least=2)
        if span:
            yield span
    for match in _HASH_NUMBER.finditer(text):
        yield _span(match, EntityType.RECORD_ID, 0.5, "rules/number-sign")
    for match in match_at(_SHAPED, text, _shaped_starts(view)):
        if not _STANDARD.match(match["v"]):
            yield _span(match, EntityType.RECORD_ID, 0.5, "rules/reference-shape")


def _shaped_starts(view: Prepared) -> list[int]:
    """Return where codes begin, and capitals that a hyphen or a slash joins to at least four digits."""
    text = view.text
    starts = {start for start, _ in view.codes}
    for number, end in view.numbers:
        if end - number >= 4 and text[number - 1 : number] in {"-", "/"}:
            before = text[max(0, number - _LONGEST_PREFIX) : number]
            starts.add(number - len(before) + len(before.rstrip(_CAPITALS)))
    return sorted(starts)


def _judge(text: str, match: re.Match[str], kind: EntityType, *, least: int) -> Span | None:
    """Keep a value that looks like a number of somebody: not a year, a date, a quantity or an ordinary word."""
    value = match["v"]
    digits = sum(map(str.isdecimal, value))
    compact = value.isdecimal()
    code = value.isupper() and len(value) >= 5  # a booking code may hold a single digit
    if digits < (max(least, 4) if compact else 1 if code and least < 4 else least):
        return None
    if _YEAR.fullmatch(value) or _DATE.fullmatch(value) or _QUANTITY.match(text, match.end("v")):
        return None
    source = "rules/identity" if kind is EntityType.GOV_ID else "rules/reference"
    return _span(match, kind, 0.75, source)


def _word(match: re.Match[str]) -> str:
    return match.group()[: match.start("v") - match.start()].strip(" :.=#\"'").casefold()


def _span(match: re.Match[str], kind: EntityType, score: float, source: str) -> Span:
    start, end = match.span("v")
    return Span(start=start, end=end, kind=kind, score=score, source=source)
