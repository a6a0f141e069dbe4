"""National numbers of Asia, Africa and Oceania, and the papers that all countries have."""

from privguard.core.entities import EntityType
from privguard.detect.national_forms import Needs, Rule

RULES = (
    # Any country
    Rule(
        name="passport",
        forms="@{1,2}_#{6,8}@? @{3}#{6} @#{9} @###@#### @##_#{5} ##@@##### ##_##_###### #{8,9}",
        terms="passport passport_no passport_number passport# travel_document travel passeport pasaporte passaporto "
        "passaporte reisepass reisepassnummer reisepass-nr passnummer paspoort paspoortnummer paszport paszportu "
        "pass-nr passnr pasport pasaport pașaport útlevél útlevélszám putovnica διαβατήριο διαβατηρίου паспорт "
        "паспорта серия_и_номер דרכון جواز_سفر جواز_السفر رقم_الجواز पासपोर्ट paspor hộ_chiếu "
        "護照 护照 护照号 护照号码 護照號碼 旅券 旅券番号 パスポート パスポート番号 여권 여권번호 หนังสือเดินทาง",
    ),
    # China, Taiwan, Hong Kong, Japan, Korea
    Rule(
        name="cn-resident",
        sure="#################*",
        check="cn.ric",
        terms="身份证 身份证号 身份证号码 居民身份证 身分證 公民身份号码 resident_identity_card resident_id",
    ),
    Rule(name="cn-credit-code", forms="*{18}", check="cn.uscc", strict=True, terms="统一社会信用代码 信用代码 uscc"),
    Rule(
        name="tw-identity",
        forms="@[1289A-D]#{8}",
        check="tw.identity",
        terms="身分證 身分證字號 身份證字號 統一編號 居留證 居留證號 national_id arc_number",
    ),
    Rule(
        name="hk-identity",
        forms=r"@{1,2}#{6}\([\dA]\) @{1,2}#{6}[\dA]",
        check="hk.identity",
        terms="hkid hk_id 身份證 身份證號碼 香港身份證 hong_kong_identity identity_card",
    ),
    Rule(
        name="jp-my-number",
        forms="####_####_####",
        check="jp.in_",
        terms="マイナンバー 個人番号 マイナンバーカード my_number mynumber individual_number",
    ),
    Rule(name="jp-driving-licence", forms="#{12}", terms="運転免許 運転免許証 免許証番号 運転免許証番号"),
    Rule(name="jp-pension", forms="####-######", terms="基礎年金番号 年金番号 年金手帳"),
    Rule(
        name="kr-resident",
        forms="##(?:0[1-9]|1[0-2])(?:0[1-9]|[12]#|3[01])_[1-8]#{6}",
        check="kr.rrn",
        terms="주민등록번호 주민번호 외국인등록번호 외국인번호 resident_registration_number rrn rrn# frn "
        "foreigner_registration_number alien_registration korean_rrn korean_frn",
    ),
    Rule(
        name="kr-business",
        forms="###_##_#####",
        check="kr.brn",
        strict=True,
        terms="사업자 사업자등록번호 사업자번호 business_registration_number business_number "
        "tax_registration_number brn",
    ),
    Rule(
        name="kr-driving-licence",
        forms="(?:1[1-9]|2[0-8])_##_######_##",
        terms="운전면허 운전면허번호 면허번호 운전면허증 korean_driver_license korean_driver's_license",
    ),
    # South-east Asia
    Rule(
        name="sg-person",
        sure="(?=[STFGM])@#######@",
        check="sg.person",
        needs=Needs.FORM,
        terms="nric nric# fin fin# singapore_id",
    ),
    Rule(
        name="sg-organisation",
        forms="[TSR]##@@####@ #########@ ########@",
        check="sg.uen",
        strict=True,
        terms="uen acra unique_entity_number business_registration",
    ),
    Rule(
        name="my-identity",
        forms="######-##-#### ############",
        check="my.nric",
        terms="nric mykad mykad_no no_kad_pengenalan kad_pengenalan no_kp no_ic ic_no ic_number ic",
    ),
    Rule(
        name="id-identity",
        forms="#{16} ####_####_####_####",
        check="id.nik",
        terms="nik ktp no_ktp nomor_ktp nomor_induk_kependudukan e-ktp kartu_keluarga no_kk",
    ),
    Rule(name="id-tax", forms="##_###_###_#_###_###", check="id.npwp", terms="npwp"),
    Rule(
        name="th-identity",
        forms="#_####_#####_##_#",
        check="th.pin",
        terms="บัตรประชาชน เลขบัตรประชาชน เลขประจำตัวประชาชน รหัสบัตรประชาชน รหัสปชช thai_id thai_national_id "
        "thai_id_number tnin citizen_id",
    ),
    Rule(
        name="vn-identity",
        forms="0#{11} #{9}",
        terms="cccd cmnd căn_cước căn_cước_công_dân số_cccd số_cmnd chứng_minh_nhân_dân chứng_minh_thư",
    ),
    Rule(name="vn-tax", forms="#{10}(?:-###)?", check="vn.mst", terms="mst mã_số_thuế"),
    Rule(
        name="ph-tax",
        forms="###-###-###(?:-#{3,5})? ############ #########",
        check="ph.tax",
        strict=True,
        terms="tin bir rdo revenue_district_office tax_id taxpayer_id taxpayer_identification_number",
    ),
    Rule(
        name="ph-social-security",
        forms="####-#######-# ##-#######-# ############",
        terms="umid umid_card umid_number sss gsis philhealth pag-ibig crn common_reference_number "
        "unified_multi-purpose_id unified_multipurpose_id",
    ),
    # India, Pakistan, Bangladesh, Sri Lanka
    Rule(
        name="in-aadhaar",
        forms=r"####[-:\x20]?####[-:\x20]?####",
        check="in_.aadhaar",
        terms="aadhaar aadhar adhaar uidai आधार आधार_संख्या",
    ),
    Rule(name="in-pan", forms="@@@@@####@", check="in_.pan", terms="pan pan_card pan_no पैन permanent_account_number"),
    Rule(
        name="in-gstin",
        sure="##@@@@@####@*(?=Z)@*",
        forms="##@@@@@####@***",
        check="in_.gstin",
        needs=Needs.FORM,
        terms="gstin gst gst_number gst_no gst_registration goods_and_services_tax",
    ),
    Rule(name="in-voter", forms="@@@#{7}", terms="voter voter_id epic elector elector_photo_identity_card मतदाता"),
    Rule(
        name="in-vehicle",
        kind=EntityType.DEVICE_ID,
        forms="@@_##?_@{1,3}_#### ##BH####@@ @{1,3}#### #{2}[A-Z]#{6}@ #{1,3}(?:CD|CC|UN)#{1,4}",
        terms="registration rto vehicle_registration vehicle_no",
    ),
    Rule(name="pk-cnic", forms="#####-#######-# #{13}", check="pk.cnic", terms="cnic nic nicop شناختی_کارڈ"),
    Rule(name="bd-identity", forms="#{17} #{13} #{10}", terms="nid nid_no national_id_card জাতীয়_পরিচয়পত্র"),
    Rule(name="lk-identity", forms="#{9}[VX] #{12}", terms="nic nic_no national_identity_card"),
    # The Near East and central Asia
    Rule(
        name="il-identity",
        forms="#_#{7}_# #{9}",
        check="il.idnr",
        terms='ת.ז ת״ז ת"ז תז תעודת_זהות מספר_זהות מס_זהות teudat_zehut israeli_id',
    ),
    Rule(
        name="ae-identity",
        sure="(?=784)###-####-#######-#",
        check="luhn",
        forms="784_####_#######_#",
        terms="emirates_id الهوية رقم_الهوية هوية_إماراتية بطاقة_الهوية uae_id",
    ),
    Rule(
        name="sa-identity",
        forms="##########",
        check="luhn",
        terms="iqama iqama_no الإقامة رقم_الإقامة الهوية رقم_الهوية هوية الهوية_الوطنية هوية_وطنية national_id "
        "saudi_id",
    ),
    Rule(
        name="eg-identity",
        forms="##############",
        terms="الرقم_القومي رقم_قومي بطاقة_الرقم_القومي رقم_البطاقة national_id egyptian_id",
    ),
    Rule(
        name="ir-identity", forms="###_######_# #{10}", check="ir.national", terms="کد_ملی شماره_ملی کدملی melli_code"
    ),
    Rule(name="kz-identity", forms="#{12}", check="kz.identity", terms="иин жсн iin бин"),
    # Africa
    Rule(
        name="za-identity",
        sure="(?=##[01]#[0-3])##########(?=[0-2])###",
        check="za.identity",
        terms="id_number identity_number south_african_id rsa_id sa_id national_id smart_id",
    ),
    Rule(
        name="za-business",
        forms="(?:19|20)##/######/## (?:CK|NR|[KTWBMN])####/######",
        terms="company_registration company_reg registration_number enterprise_number close_corporation cipc",
    ),
    Rule(
        name="za-driving-licence",
        forms="#{6,10}(?=#{0,4}[A-Z])*{2,5}",
        terms="driver's_licence driver's_license drivers_licence drivers_license driving_licence driving_license "
        "licence_number license_number natis enatis",
    ),
    Rule(
        name="za-tax",
        forms="[01239]#{9}",
        terms="income_tax tax_number tax_reference tax_registration taxpayer sars itr",
    ),
    Rule(name="za-vat", forms="4#{9}", terms="vat vat_number vat_registration value_added_tax tax_invoice sars"),
    Rule(
        name="za-traffic",
        forms="#{13}",
        terms="traffic_register traffic_register_number trn natis enatis vehicle_register",
    ),
    Rule(
        name="za-plate",
        kind=EntityType.DEVICE_ID,
        forms="@{2,4}#{2,4}@{0,4}(?:GP|ZN|WP|EC|NC|FS|LP|MP|NW) @@_##_@@_(?:GP|ZN|WP|EC|NC|FS|LP|MP|NW) "
        "@{2,3}_#{2,3}_(?:GP|ZN|WP|EC|NC|FS|LP|MP|NW) #{2,3}_@{2,3}_EC",
        terms="number_plate licence_plate license_plate plate_number registration vehicle_registration natis enatis",
    ),
    Rule(
        name="ng-identity",
        forms="#{11}",
        terms="nin nimc national_identification_number national_identity_number national_identity "
        "nigerian_identification bvn nigeria_id",
    ),
    Rule(
        name="ng-plate",
        kind=EntityType.DEVICE_ID,
        forms="@@@_###_@@",
        terms="plate_number number_plate license_plate licence_plate registration vehicle_registration",
    ),
    Rule(name="ke-pin", forms="[AP]#{9}@", check="ke.pin", terms="kra kra_pin pin"),
    Rule(name="gh-identity", forms="GHA-#{9}-#", terms="ghana_card ghanacard national_id"),
    # Australia and New Zealand
    Rule(name="au-business", forms="##_###_###_###", check="au.abn", terms="abn australian_business_number"),
    Rule(name="au-company", forms="###_###_###", check="au.acn", terms="acn australian_company_number"),
    Rule(name="au-tax", forms="###_###_##?#", check="au.tfn", terms="tfn tax_file_number"),
    Rule(
        name="au-medicare",
        forms="[2-6]###_#####_#(?:_#)?",
        check="au.medicare",
        strict=True,
        terms="medicare medicare_card medicare_no",
    ),
    Rule(name="nz-tax", forms="##?#_###_###", check="nz.ird", terms="ird ird_number inland_revenue"),
    Rule(name="nz-health", forms="@@@#### @@@##@@", terms="nhi nhi_number national_health_index"),
)
