import inspect

from presidio_analyzer import EntityRecognizer, predefined_recognizers
from presidio_analyzer.nlp_engine.ner_model_configuration import MODEL_TO_PRESIDIO_ENTITY_MAPPING

from privguard.core.entities import EntityType
from privguard.detect.presidio_names import is_known, kind_of


def _entities() -> set[str]:
    """Return each name that a predefined recognizer can return without a service or a model of its own."""
    names = {"PERSON", "LOCATION", "ORGANIZATION", "NRP", "DATE_TIME"}
    for recognizer in vars(predefined_recognizers).values():
        if not (inspect.isclass(recognizer) and issubclass(recognizer, EntityRecognizer)):
            continue
        default = inspect.signature(recognizer.__init__).parameters.get("supported_entity")
        if default is not None and isinstance(default.default, str):
            names.add(default.default)
        names.update(getattr(recognizer, "ENTITIES", ()))
    return names | set(MODEL_TO_PRESIDIO_ENTITY_MAPPING.values())


def test_every_entity_of_presidio_has_a_type() -> None:
    entities = _entities()
    assert len(entities) > 70
    assert {entity for entity in entities if not is_known(entity)} == set()


def test_an_entity_that_nobody_knows_is_protected_as_a_detail() -> None:
    assert kind_of("SOMETHING_NEW") is EntityType.MISC


def test_the_common_names_mean_what_they_say() -> None:
    assert kind_of("EMAIL_ADDRESS") is EntityType.EMAIL
    assert kind_of("US_SSN") is EntityType.GOV_ID
    assert kind_of("NRP") is EntityType.ORIGIN
    assert kind_of("DE_KFZ") is EntityType.DEVICE_ID
