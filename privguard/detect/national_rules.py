"""Which of Presidio's recognizers are run, and what must confirm a match of each.

A checksum that one number in ten passes by chance confirms nothing on its own: such numbers need a context word.
"""

from privguard.detect.found import listed

# Structure and check digits together make a chance hit rarer than one in a thousand. Each with a shape that any match
# of it has, where `0` is a digit and `A` a letter.
SURE = {
    "DeSocialSecurityRecognizer": "00000000A000",
    "EsNieRecognizer": "0000000-?A",
    "EsNifRecognizer": "0000000-?A",
    "FiPersonalIdentityCodeRecognizer": "000000[-+A]000",
    "InGstinRecognizer": "00[0A]{13}",
    "ItFiscalCodeRecognizer": "[0A]{16}",
    "PlPeselRecognizer": "0{11}",
    "SePersonnummerRecognizer": "000000[-+]?0000",
    "UkDrivingLicenceRecognizer": "[0A]{16}",
    "UkNinoRecognizer": "AA ?00 ?00 ?00 ?A",
    "UsMbiRecognizer": "0A[0A]0-A[0A]0-AA00",
    "UsSsnRecognizer": "000[- .]00[- .]0000",
    "ZaIdNumberRecognizer": "0{13}",
    "SgFinRecognizer": "A0000000A",
    "CaSinRecognizer": "000([- ])000[- ]000",
}
# A context word must stand near by. Of thirteen digits in a row, milliseconds since 1970 are the most frequent.
WITH_CONTEXT = [
    "KrFrnRecognizer",
    "KrRrnRecognizer",
    "ThTninRecognizer",
    "AbaRoutingRecognizer",
    "AuAbnRecognizer",
    "AuAcnRecognizer",
    "AuMedicareRecognizer",
    "AuTfnRecognizer",
    "CaPostalCodeRecognizer",
    "DeBsnrRecognizer",
    "DeFuehrerscheinRecognizer",
    "DeHandelsregisterRecognizer",
    "DeHealthInsuranceRecognizer",
    "DeIdCardRecognizer",
    "DeKfzRecognizer",
    "DeLanrRecognizer",
    "DePassportRecognizer",
    "DePlzRecognizer",
    "DeTaxIdRecognizer",
    "DeTaxNumberRecognizer",
    "DeVatIdRecognizer",
    "EsPassportRecognizer",
    "InAadhaarRecognizer",
    "InPanRecognizer",
    "InPassportRecognizer",
    "InVehicleRegistrationRecognizer",
    "InVoterRecognizer",
    "ItDriverLicenseRecognizer",
    "ItIdentityCardRecognizer",
    "ItPassportRecognizer",
    "ItVatCodeRecognizer",
    "KrBrnRecognizer",
    "KrDriverLicenseRecognizer",
    "KrPassportRecognizer",
    "MedicalLicenseRecognizer",
    "NgNinRecognizer",
    "NgVehicleRegistrationRecognizer",
    "NhsRecognizer",
    "PhPassportRecognizer",
    "PhTinRecognizer",
    "PhUmidRecognizer",
    "SeOrganisationsnummerRecognizer",
    "SgUenRecognizer",
    "TrLicensePlateRecognizer",
    "TrNationalIdRecognizer",
    "UkPassportRecognizer",
    "UkPostcodeRecognizer",
    "UkVehicleRegistrationRecognizer",
    "UsBankRecognizer",
    "UsHealthInsuranceMemberIdRecognizer",
    "UsItinRecognizer",
    "UsLicenseRecognizer",
    "UsNpiRecognizer",
    "UsPassportRecognizer",
    "UsProviderTaxIdRecognizer",
    "ZaCompanyRegistrationRecognizer",
    "ZaDriverLicenseRecognizer",
    "ZaIncomeTaxNumberRecognizer",
    "ZaLicensePlateRecognizer",
    "ZaPassportRecognizer",
    "ZaTrafficRegisterNumberRecognizer",
    "ZaVatNumberRecognizer",
]
LEAST_PATTERN = dict.fromkeys(
    (
        "CaSinRecognizer",
        "FiPersonalIdentityCodeRecognizer",
        "InPanRecognizer",
        "SePersonnummerRecognizer",
        "SgFinRecognizer",
        "UsMbiRecognizer",
        "UsSsnRecognizer",
    ),
    0.5,
)
VAGUE = listed(
    "us u.s. united states usa id number no code card identification identity document mobile rate name address "
    "account "
    "personal business company license licence state south africa african german germany uk united kingdom india "
    "indian number# plate canada canadian permit national health car vehicle driver driving road mail post bank check "
    "save debit letter transfer"
)
EXTRA_CONTEXT = {
    "US_BANK_NUMBER": ("account", "acct", "bank account"),
    "US_DRIVER_LICENSE": ("driver's license", "drivers license", "driver license", "driving licence", "dl"),
    "DE_KFZ": ("kennzeichen", "plate"),
    "UK_POSTCODE": ("postcode", "post code", "address"),
    "CA_POSTAL_CODE": ("postal code", "postcode"),
    "UK_VEHICLE_REGISTRATION": ("reg", "registration", "plate", "number plate"),
}
