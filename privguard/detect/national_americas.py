"""National numbers of the Americas."""

from privguard.core.entities import EntityType
from privguard.detect.national_forms import Needs, Rule

RULES = (
    # The United States
    Rule(
        name="us-ssn",
        # Areas that are never issued, groups of zeros, one digit over and over, and numbers of advertisements.
        sure=" ".join(
            rf"(?!000|666|123{gap}45{gap}6789|078{gap}05{gap}1120|987{gap}65{gap}4320)(?!###{gap}00|######{gap}0000)"
            rf"(?!###{gap}##{gap}0000)(?!111{gap}11|222{gap}22|333{gap}33|444{gap}44|555{gap}55|777{gap}77|888{gap}88)"
            rf"(?!999{gap}99)###{gap}##{gap}####"
            for gap in ("-", r"\x20", r"\.")
        ),
        needs=Needs.FORM,
        forms="###_##_####",
        terms="ssn ssns social_security social security ssid ss_number",
    ),
    Rule(
        name="us-itin",
        forms="9##_[5-9]#_####",
        terms="itin tin taxpayer taxpayer_id taxid tax individual_taxpayer individual payer",
    ),
    Rule(
        name="us-ein",
        forms="##-#######",
        check="us.ein",
        terms="ein employer_identification tax_id tin tax billing fein",
    ),
    Rule(
        name="us-mbi",
        sure="(?=[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\\d]#-[AC-HJKMNP-RT-Y])#@*#-@*#-@@##",
        forms="[1-9]@*#@*#@@##",
        needs=Needs.FORM,
        terms="medicare medicaid mbi beneficiary hicn hic cms",
    ),
    Rule(
        name="us-provider",
        kind=EntityType.RECORD_ID,
        forms="[12]###_###_###",
        check="us.provider",
        strict=True,
        terms="npi npi_number provider national_provider taxonomy provider_id",
    ),
    Rule(
        name="us-prescriber",
        kind=EntityType.RECORD_ID,
        forms="@{2}#{7} @9#{7}",
        check="us.prescriber",
        strict=True,
        terms="dea dea_number dea_no medical certificate",
    ),
    Rule(
        name="us-member",
        kind=EntityType.RECORD_ID,
        forms=r"(?=[A-Z-]{0,12}#)(?=[A-Z\d-]{6,20}(?![A-Z\d-]))[A-Z]{1,5}-?[A-Z\d]{5,14}",
        terms="member member_id subscriber subscriber_id policy insurance insurance_id",
    ),
    Rule(
        name="us-driving-licence",
        forms="@{1,2}#{3,14}@? #{7,9}@{1,2} ###@@#### @#@#@ ##@@@#{5,6} @#{18} #{16} #{6,14}",
        terms="driver's_license drivers_license driver_license driving_licence dl dls lic cdls cdl",
    ),
    Rule(
        name="us-routing",
        kind=EntityType.FIN_ACCOUNT,
        forms="[01236-8]#{8} [01236-8]###-####-#",
        check="us.rtn",
        strict=True,
        terms="routing routing_number aba aba_number bankrouting abarouting association",
    ),
    Rule(
        name="us-bank-account",
        kind=EntityType.FIN_ACCOUNT,
        forms="#{8,17}",
        terms="account acct bank_account account_number",
    ),
    # Canada
    Rule(
        name="ca-sin",
        sure=r"(?=[1-79])###-###-### (?=[1-79])###\x20###\x20###",
        check="ca.sin",
        forms="###_###_###",
        terms="sin_number sin_no social_insurance social_insurance_number numéro_nas assurance_sociale "
        "numéro_d'assurance_sociale",
    ),
    Rule(
        name="ca-postcode",
        kind=EntityType.ADDRESS,
        forms="[ABCEGHJ-NPRSTVXY]#[ABCEGHJ-NPRSTV-Z]_#[ABCEGHJ-NPRSTV-Z]#",
        terms="postal_code postcode code_postal zip ontario quebec québec alberta british_columbia manitoba",
    ),
    # Brazil
    Rule(
        name="br-cpf",
        sure=r"###\.###\.###-##",
        forms="###_###_###_##",
        check="br.cpf",
        terms="cpf cadastro_de_pessoas_físicas",
    ),
    Rule(name="br-cnpj", sure=r"##\.###\.###/####-##", forms="##_###_###_####_##", check="br.cnpj", terms="cnpj"),
    Rule(name="br-rg", forms="#_###_###_[#X] ##_###_###_[\\dX]", terms="rg registro_geral carteira_de_identidade"),
    Rule(name="br-work", forms="###_#####_##_#", terms="pis pasep nis nit pis/pasep carteira_de_trabalho"),
    # Spanish-speaking America
    Rule(
        name="mx-curp",
        sure="@@@@######@@@@@@*#",
        check="mx.curp",
        terms="curp clave_única clave_única_de_registro_de_población",
    ),
    Rule(
        name="mx-rfc",
        sure="@@@@######*** @@@@-######-***",
        check="mx.rfc",
        forms="[A-Z&Ñ]{3,4}_######_*** [A-Z&Ñ]{4}######",
        terms="rfc registro_federal registro_federal_de_contribuyentes",
    ),
    Rule(
        name="mx-social-security",
        forms="##_##_##_####_#",
        check="luhn",
        terms="nss imss número_de_seguridad_social seguridad_social",
    ),
    Rule(
        name="ar-cuit",
        sure="(?=2[0347]|3[034])##-########-#",
        check="ar.cuit",
        forms="##_########_# ##_##_###_###_#",
        terms="cuit cuil",
    ),
    Rule(name="ar-dni", forms="##?_###_###", terms="dni documento documento_nacional libreta_cívica"),
    Rule(
        name="cl-rut",
        sure=r"##\.###\.###-* #\.###\.###-*",
        forms="##?_###_###_[\\dK]",
        check="cl.rut",
        terms="rut rol_único_tributario rol_único_nacional",
    ),
    Rule(
        name="co-cedula",
        forms="#_###_###_### ##?_###_###",
        terms="cédula cedula cédula_de_ciudadanía c.c",
    ),
    Rule(name="co-nit", forms="#_###_###_###_# ###_###_###_#", check="co.nit", terms="nit"),
    Rule(name="pe-dni", forms="########(?:-*)?", terms="dni documento_de_identidad"),
    Rule(name="pe-ruc", forms="[12]#{10}", check="pe.ruc", terms="ruc"),
    Rule(name="ec-cedula", forms="#########-?#", check="ec.ci", terms="cédula cedula cédula_de_identidad c.i"),
    Rule(name="ec-ruc", forms="#{13}", check="ec.ruc", terms="ruc"),
    Rule(
        name="uy-cedula",
        forms="#_###_###_# ###_###_#",
        check="uy.identity",
        terms="cédula cedula cédula_de_identidad c.i documento",
    ),
    Rule(name="uy-rut", forms="#{12}", check="uy.rut", terms="rut"),
    Rule(name="ve-rif", forms="[VEJPG]_########_#", check="ve.rif", terms="rif"),
    Rule(name="ve-cedula", forms="[VE]_##?_###_###", terms="cédula cedula cédula_de_identidad c.i"),
    Rule(name="do-cedula", forms="###_#######_#", check="do.cedula", terms="cédula cedula cédula_de_identidad"),
    Rule(name="cr-cedula", forms="0?#_####_####", check="cr.cpf", terms="cédula cedula cédula_de_identidad"),
    Rule(name="cu-identity", forms="#{11}", check="cu.ni", terms="carné_de_identidad carnet_de_identidad"),
    Rule(name="gt-identity", forms="####_#####_####", terms="dpi cui documento_personal_de_identificación"),
)
