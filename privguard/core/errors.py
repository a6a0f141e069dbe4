"""The errors of privguard. No message ever holds content: kinds, offsets, lengths and field names only.

PrivguardError
├── ConfigError              a setting, a profile file or a missing extra
├── ArtifactError            a model artifact that is absent, altered or of another version
├── ProtectionError          nothing was sent
│   ├── DetectionError       a detector failed
│   ├── PlanError            no plan could be made or rendered
│   ├── UnprotectedRouteError  the route is not known to be safe
│   ├── UnknownContentError  the body holds something the codec does not know
│   ├── UnrecordedError      the audit is required, and the request cannot be recorded
│   └── UnheldError          the values for a later reply could not be kept
│       └── NoVaultError     there is no vault to keep them in
├── RestoreError             sent; the reply is in hand but could not be restored
├── VaultError               the vault could not be used, or a record in it was altered
│   └── UnknownReferenceError  the vault holds nothing under a reference
└── AuditError               the record could not be written or read
"""


class PrivguardError(Exception):
    """Base of all errors of privguard."""


class ConfigError(PrivguardError):
    """A setting is wrong; the message says which, where, and what to do."""


class ArtifactError(PrivguardError):
    """A model artifact is absent, altered or of another version."""


class ProtectionError(PrivguardError):
    """The request could not be protected. Nothing was sent."""


class DetectionError(ProtectionError):
    """A detector failed. Nothing was sent."""


class PlanError(ProtectionError):
    """No plan could be made or rendered. Nothing was sent."""


class UnprotectedRouteError(ProtectionError):
    """The route is not known to be safe. Nothing was sent."""


class UnknownContentError(ProtectionError):
    """The body holds something that the codec cannot read. Nothing was sent."""


class UnrecordedError(ProtectionError):
    """The audit is required, and the request cannot be recorded. Nothing was sent."""


class UnheldError(ProtectionError):
    """The values for a later reply could not be kept, or those of earlier ones not be read. Nothing was sent."""


class NoVaultError(UnheldError):
    """The request speaks of others, or of replies that come later, and there is no vault. Nothing was sent."""


class RestoreError(PrivguardError):
    """The reply is in hand, but restoring failed. The request was sent, minimized."""


class VaultError(PrivguardError):
    """The vault could not be used, or a record in it was altered."""


class UnknownReferenceError(VaultError):
    """The vault holds nothing under a reference: for this tenant and scope, with these keys, at this time."""


class AuditError(PrivguardError):
    """The audit record could not be written or read."""
