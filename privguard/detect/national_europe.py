"""National numbers of Europe. Broken check digits are forgiven where a term introduces a number."""

from privguard.core.entities import EntityType
from privguard.detect.national_forms import Needs, Rule

RULES = (
    # Austria, Belgium, Switzerland, Liechtenstein, Luxembourg
    Rule(
        name="at-svnr",
        forms="####_######",
        check="at.vnr",
        terms="svnr sv-nr sv-nummer sozialversicherungsnummer sozialversicherungs-nr versicherungsnummer e-card ecard",
    ),
    Rule(
        name="be-nn",
        sure=r"##_##_##_###_##",
        check="be.nn",
        terms="rijksregisternummer rijksregister insz niss numéro_national registre_national "
        "numéro_de_registre_national nationaal_nummer rrn nationalregisternummer",
    ),
    Rule(
        name="ch-ahv",
        sure="(?=756)###_####_####_##",
        check="ch.ssn",
        terms="ahv ahv-nr ahv-nummer ahvn13 avs numéro_avs no_avs oasi sozialversicherungsnummer navs",
    ),
    Rule(
        name="ch-uid",
        sure=r"(?=CHE)@@@_###_###_###",
        check="ch.uid",
        terms="uid ide mwst tva iva unternehmens-identifikationsnummer",
    ),
    Rule(
        name="lu-person",
        sure="(?=18|19|20)########_###_##",
        check="lu.person",
        terms="matricule numéro_de_matricule sécurité_sociale ccss matrikelnummer",
    ),
    # Germany
    Rule(
        name="de-social-security",
        sure="##_######_@_###",
        check="de.pension",
        terms="rentenversicherungsnummer rentenversicherung rvnr rv-nummer sozialversicherungsnummer sv-nummer svnr "
        "sozialversicherung sozialversicherungsausweis versicherungsnummer rentenausweis",
    ),
    Rule(
        name="de-health-insurance",
        forms="@_###_###_###",
        check="de.insured",
        terms="krankenkasse krankenversicherung krankenversichertennummer krankenversicherungsnummer kvnr gkv egk aok "
        "barmer dak tk tkk gesundheitskarte versichertenkarte versichertennummer versicherten-nr versichertenausweis",
    ),
    Rule(
        name="de-tax-id",
        forms="[1-9]#_###_###_###",
        check="de.idnr",
        terms="steuer-id steuerid steuer-idnr idnr steueridentifikationsnummer steuer-identifikationsnummer "
        "steuerliche_identifikationsnummer identifikationsnummer tax_id tin steuernummer bzst",
    ),
    Rule(
        name="de-tax-number",
        forms=r"(?:0[1-9]|1[0-6])#{11} ##{1,2}/#{3,4}/#{4,5} ##{1,2}\x20###\x20#####",
        terms="steuernummer steuer-nr steuer_nr st-nr st.-nr st_nr finanzamt einkommensteuer umsatzsteuer "
        "gewerbesteuer körperschaftsteuer steuerbescheid steuerveranlagung",
    ),
    Rule(
        name="de-vat-id",
        forms="DE_###_###_###",
        check="de.vat",
        terms="ust-id ust-idnr ustidnr ust-id-nr umsatzsteuer-id umsatzsteueridentifikationsnummer "
        "umsatzsteuer-identifikationsnummer vat vat_id vat_number mehrwertsteuer rechnung invoice finanzamt bzst",
    ),
    Rule(
        name="de-id-card",
        forms=r"[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ\d]{7}#{1,2}D? T#{8}",
        check="document",
        terms="personalausweis personalausweisnummer ausweis ausweisnummer ausweis-nr ausweisdokument identity_card "
        "dokumentennummer seriennummer reisepass reisepassnummer reisepass-nr passnummer pass-nr pass mrz passport "
        "national_id npa aufenthaltstitel",
    ),
    Rule(
        name="de-driving-licence",
        forms="@{2}#{8}* @###*#{2}*#*{2}",
        terms="führerschein führerscheinnummer führerschein-nr fahrerlaubnis fahrerlaubnisnummer driving_licence "
        "driver's_license driving_license licence_number license_number kba",
    ),
    Rule(
        name="de-commercial-register",
        forms="HR[AB]_#{1,6}(?:_[A-Z])?",
        terms="handelsregister handelsregisternummer amtsgericht registergericht hrb hra gmbh ag kg ohg ug firma "
        "gesellschaft registerauszug",
    ),
    Rule(
        name="de-doctor",
        kind=EntityType.RECORD_ID,
        forms="#########",
        check="de.doctor",
        strict=True,
        terms="lanr arztnummer arzt-nr arztnr arzt-nummer hausarzt facharzt kassenarzt vertragsarzt behandelnder_arzt "
        "rezept verschreibung kbv",
    ),
    Rule(
        name="de-practice",
        kind=EntityType.RECORD_ID,
        forms="#########",
        terms="bsnr betriebsstättennummer betriebsstätten-nummer betriebsstätte arztpraxis praxis praxisnummer "
        "kassenärztliche_vereinigung kv-nummer hauptbetriebsstätte nebenbetriebsstätte vertragsarztpraxis",
    ),
    Rule(
        name="de-postcode",
        kind=EntityType.ADDRESS,
        forms="(?!01000|99999|00)#####",
        terms="plz postleitzahl ort wohnort stadt gemeinde dorf adresse anschrift wohnanschrift postanschrift straße "
        "strasse hausnummer postfach lieferadresse rechnungsadresse bundesland",
    ),
    # Great Britain and Ireland
    Rule(
        name="uk-nino",
        sure="(?![DFIQUV]|[A-Z][DFIOQUV]|BG|GB|KN|NK|NT|TN|ZZ)@@_##_##_##_(?=[A-D])@",
        needs=Needs.FORM,
        terms="national_insurance national_insurance_number ni_number ni_no nino",
    ),
    Rule(
        name="uk-driving-licence",
        # Five letters of the name, with nines in the place of missing ones, then birth, initials and check characters.
        sure=" ".join(
            f"(?=[A-Z9]{{5}}#[0156]#[0-3]##[A-Z9]{{2}}){'@' * letters}{'#' * (5 - letters)}######***@@"
            for letters in range(1, 6)
        ),
        needs=Needs.FORM,
        terms="driving_licence driving_license driver's_licence driver's_license dvla licence_number license_number",
    ),
    Rule(
        name="uk-nhs",
        forms="###_###_####",
        check="gb.nhs",
        terms="nhs nhs_number nhs_no national_health_service health_authority chi chi_number",
    ),
    Rule(name="uk-utr", forms="#####_#####", check="gb.utr", terms="utr unique_taxpayer_reference hmrc"),
    Rule(
        name="uk-postcode",
        kind=EntityType.ADDRESS,
        forms="GIR_0AA @{1,2}##?_#[ABD-HJLNP-UW-Z]{2} @{1,2}#@_#[ABD-HJLNP-UW-Z]{2}",
        terms="postcode post_code postal_code zip address mailing shipping delivery correspondence",
    ),
    Rule(
        name="uk-vehicle",
        kind=EntityType.DEVICE_ID,
        forms="@@##_@@@ @#{1,3}_@@@ @@@_#{1,3}_@",
        terms="registration reg number_plate licence_plate license_plate plate vrn dvla v5c mot logbook "
        "insured_vehicle",
    ),
    Rule(
        name="ie-pps",
        forms="#######@[A-IW]?",
        check="ie.pps",
        terms="pps ppsn pps_number pps_no personal_public_service",
    ),
    # France, Spain, Portugal, Italy
    Rule(
        name="fr-nir",
        sure="(?=[1-478])#_##_##_#*_###_###_## (?=[1-478])#_##_##_#*_###_###",
        check="fr.nir",
        terms="numéro_de_sécurité_sociale n°_de_sécurité_sociale sécurité_sociale numéro_de_sécu sécu nir insee "
        "carte_vitale numéro_ss n°_ss social_security immatriculation",
    ),
    Rule(
        name="fr-tax",
        forms="[0-3]#_##_###_###_###",
        check="fr.nif",
        terms="numéro_fiscal n°_fiscal spi référence_fiscale identifiant_fiscal",
    ),
    Rule(name="fr-siret", forms="###_###_###_#####", check="fr.siret", terms="siret"),
    Rule(name="fr-siren", forms="###_###_###", check="fr.siren", terms="siren rcs"),
    Rule(
        name="es-nif",
        sure="########-@ ########@ #######-@ #######@",
        forms="##_###_###_@ #{7}_@",
        check="es.person",
        terms="dni nif documento_nacional_de_identidad identificación",
    ),
    Rule(
        name="es-nie",
        sure="(?=[XYZ])@#######-@ (?=[XYZ])@#######@ (?=[XYZ])@-#######-@",
        check="es.person",
        terms="nie número_de_identificación_de_extranjero número_de_identidad_de_extranjero",
    ),
    Rule(
        name="es-social-security",
        forms="##_########_## ##/########/##",
        terms="nuss naf seguridad_social número_de_la_seguridad_social afiliación",
    ),
    Rule(name="pt-nif", forms="###_###_###", check="pt.nif", terms="nif contribuinte número_de_contribuinte nipc"),
    Rule(
        name="pt-citizen-card",
        forms="########_#_*{2}#",
        check="pt.cc",
        terms="cartão_de_cidadão cartão_cidadão cc bilhete_de_identidade bi",
    ),
    Rule(name="pt-social-security", forms="[12]#{10}", terms="niss segurança_social número_de_segurança_social"),
    Rule(
        name="it-fiscal-code",
        sure="@@@@@@**@**@***@ @@@_@@@_**@**_@***@",
        needs=Needs.FORM,
        check="it.codicefiscale",
        terms="codice_fiscale cod_fiscale cf c.f tessera_sanitaria",
    ),
    Rule(
        name="it-vat",
        forms="#_###_###_##_## ###########",
        check="luhn",
        strict=True,
        terms="partita_iva p_iva piva pi",
    ),
    Rule(
        name="it-identity-card",
        forms="@@_#{7} #{7}@@ @@#{5}@@",
        terms="carta_d'identità carta_di_identità carta identità cie documento documento_di_identità riconoscimento",
    ),
    Rule(name="it-driving-licence", forms="U1*{7}@ @@#{7}@", terms="patente patente_di_guida licenza_di_guida licenza"),
    # The Netherlands and the north
    Rule(
        name="nl-bsn",
        forms="####_##_### ###_###_###",
        check="nl.bsn",
        terms="bsn burgerservicenummer burger_service_nummer sofinummer sofi-nummer citizen_service_number",
    ),
    Rule(
        name="dk-cpr",
        forms="(?:0[1-9]|[12]#|3[01])(?:0[1-9]|1[0-2])##_####",
        check="dk.cpr",
        terms="cpr cpr-nr cpr-nummer cpr_nummer cprnr personnummer civil_registration",
    ),
    Rule(
        name="no-person",
        sure="######_#####",
        check="no.fodselsnummer",
        terms="fødselsnummer fødselsnr fnr d-nummer personnummer national_identity_number",
    ),
    Rule(
        name="se-personnummer",
        sure="########-#### ########\\+#### ############ ######-#### ######\\+#### ##########",
        check="se.personnummer",
        terms="personnummer personnr pers_nr samordningsnummer svenskt_personnummer personal_identity_number ssn",
    ),
    Rule(
        name="se-organisation",
        forms="######-?####",
        check="se.orgnr",
        terms="organisationsnummer orgnr org_nr org-nr företagsnummer",
    ),
    Rule(
        name="fi-hetu",
        sure=r"######-###* ######\+###* ######@###*",
        check="fi.hetu",
        terms="henkilötunnus hetu sotu personbeteckning personbeteckningen personal_identity_code",
    ),
    Rule(name="is-kennitala", forms="######-?####", check="is_.kennitala", terms="kennitala kt ktnr"),
    # The Baltic states and the east of central Europe
    Rule(name="ee-person", forms="[1-8]#{10}", check="ee.ik", terms="isikukood personal_code"),
    Rule(name="lt-person", forms="[1-9]#{10}", check="lt.asmens", terms="asmens_kodas personal_code"),
    Rule(name="lv-person", forms="######-##### ###########", check="lv.pvn", terms="personas_kods personal_code"),
    Rule(
        name="pl-pesel",
        sure="###########",
        check="pl.pesel",
        terms="pesel numer_pesel nr_pesel",
    ),
    Rule(name="pl-tax", forms="###_###_##_## ###_##_##_###", check="pl.nip", terms="nip numer_nip"),
    Rule(name="pl-identity-card", forms="@@@_#{6}", terms="dowód dowód_osobisty dowodu_osobistego dowodu nr_dowodu"),
    Rule(
        name="cz-birth-number",
        sure="######/#### ######/###",
        forms="##########",
        check="cz.rc",
        terms="rodné_číslo rodného_čísla rč r_č birth_number",
    ),
    Rule(name="hu-health", forms="###_###_###", check="hu.health", terms="taj taj-szám tajszám taj_szám"),
    Rule(name="hu-tax", forms="8#{9}", check="hu.tax", terms="adóazonosító adóazonosító_jel adóazonosító_jele"),
    Rule(
        name="hu-person",
        forms="[1-8]_######_####",
        terms="személyi_szám személyi_azonosító személyi_azonosító_jel személyi",
    ),
    Rule(name="ro-cnp", forms="[1-9]#{12}", check="ro.cnp", terms="cnp cod_numeric_personal codul_numeric_personal"),
    Rule(name="bg-egn", forms="##########", check="bg.egn", terms="егн egn единен_граждански_номер"),
    Rule(name="hr-oib", forms="###########", check="hr.oib", terms="oib osobni_identifikacijski_broj"),
    Rule(
        name="jmbg",
        forms="#############",
        check="jmbg",
        terms="jmbg emšo emso јмбг матични_број matični_broj matični_broj_građana embg ембг",
    ),
    Rule(name="gr-amka", forms="###########", check="gr.amka", terms="αμκα amka"),
    Rule(name="gr-tax", forms="#########", check="gr.vat", terms="αφμ afm α.φ.μ"),
    Rule(name="gr-identity-card", forms="[A-ZΑ-Ω]{2}_#{6}", terms="αδτ adt ταυτότητα ταυτότητας δελτίο_ταυτότητας"),
    # Ukraine, Russia, Moldova, Belarus, Turkey
    Rule(
        name="ua-tax",
        forms="##########",
        check="ua.rntrc",
        terms="рнокпп rnokpp іпн ідентифікаційний_код ідентифікаційний_номер індивідуальний_податковий_номер",
    ),
    Rule(name="ru-tax", forms="############ ##########", check="ru.inn", terms="инн идентификационный_номер"),
    Rule(
        name="ru-insurance",
        forms="###_###_###_##",
        check="ru.insurance",
        terms="снилс снилса snils страховой_номер",
    ),
    Rule(name="md-person", forms="[02]#{12}", check="md.idno", terms="idnp idno cod_personal codul_personal"),
    Rule(
        name="tr-national-id",
        forms="[1-9]#{10}",
        check="tr.tckimlik",
        terms="tc_kimlik tc_kimlik_no t.c_kimlik_no t.c._kimlik_no tc_kimlik_numarası kimlik_no kimlik_numarası tckn "
        "tc_no tcno nüfus_cüzdanı türk_kimlik national_id turkish_id",
    ),
    Rule(name="tr-tax", forms="##########", check="tr.vkn", terms="vkn vergi_no vergi_numarası vergi_kimlik_no"),
    Rule(
        name="tr-plate",
        kind=EntityType.DEVICE_ID,
        forms="(?:0[1-9]|[1-7]#|8[01])_[A-Z]{1,3}_#{2,4}",
        terms="plaka plakası plaka_numarası araç_plakası taşıt_plakası number_plate license_plate kayıt",
    ),
)
