"""All settings, read from the environment and nowhere else. Every variable stands in .env.example.

The defaults are those of ``./run`` on one machine: SQLite, the embedded broker, debug pages off, a secret
key kept in the var folder. ``DATABASE_URL`` on PostgreSQL makes it a production start, which refuses
what is unsafe there (:mod:`hallu_site.production`).
"""

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from detection import configuration, identity_provider
from hallu_site import production
from hallu_site.caches import configured
from hallu_site.static_headers import keep_apart

BASE_DIR = Path(__file__).resolve().parent.parent
env = production.Variables()
if not env.bool("HALLU_TEST", default=False):  # tests take nothing from a developer's .env
    env.read_env(BASE_DIR / ".env")

# --- where things are -------------------------------------------------------------------------------
HALLU_PORT = env.int("HALLU_PORT", default=8000)
HALLU_VAR = Path(env.str("HALLU_VAR", default=str(BASE_DIR / "var"))).resolve()
HALLU_VAR.mkdir(parents=True, exist_ok=True)
HALLU_DATA = env.str("HALLU_DATA", default="")

DATABASE_URL = env.str("DATABASE_URL", default=f"sqlite:///{HALLU_VAR / 'hallu.sqlite3'}")
BEHIND_PGBOUNCER = env.bool("HALLU_BEHIND_PGBOUNCER", default=False)
RUNTIME_DATABASE_URL = env.str("HALLU_RUNTIME_DATABASE_URL", default="")
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="djangodb://localhost")
CACHE_URL = env.str("CACHE_URL", default="dbcache://cache_entries")
EMBEDDED_BROKER = CELERY_BROKER_URL.startswith("djangodb")
DATABASES: dict[str, dict[str, Any]] = {"default": production.database(DATABASE_URL)}
SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
PRODUCTION = not SQLITE and not env.bool("HALLU_TEST", default=False)

# --- security ---------------------------------------------------------------------------------------
DEBUG = env.bool("DJANGO_DEBUG", default=False)
ALLOWED_HOSTS = env.list("DJANGO_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
HTTPS_SAID = production.one_of(
    "HALLU_HTTPS", env.str("HALLU_HTTPS", default=str(PRODUCTION)).lower(), "true", "false", "insecure"
)
HTTPS = HTTPS_SAID == "true"
SECRET_KEY = env.str("DJANGO_SECRET_KEY", default="")
if PRODUCTION:
    production.refuse_unsafe(
        secret_key=SECRET_KEY,
        embedded_broker=EMBEDDED_BROKER,
        debug=DEBUG,
        hosts=ALLOWED_HOSTS,
        https=HTTPS_SAID,
    )
SECRET_KEY = SECRET_KEY or production.kept_secret_key(HALLU_VAR)

SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [
    *[r"^healthz$", r"^healthz/queue$", r"^readyz$", r"^metrics$"],
    r"^api/v1/(?!docs/|schema/)",  # a redirect would hide that the key was sent in the clear: it is refused
]
BEHIND_PROXY = env.bool("HALLU_BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
HALLU_TRUSTED_PROXIES = production.at_least(
    0, "HALLU_TRUSTED_PROXIES", env.int("HALLU_TRUSTED_PROXIES", default=int(BEHIND_PROXY))
)
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "hallu_session"
DEVICE_COOKIE_NAME = "__Host-device" if HTTPS else "hallu_device"
SESSION_COOKIE_AGE = 12 * 60 * 60
HALLU_IDLE_MINUTES = production.at_least(1, "HALLU_IDLE_MINUTES", env.int("HALLU_IDLE_MINUTES", default=30))
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "csrftoken"
CSRF_COOKIE_HTTPONLY = True  # scripts read the token of the forms
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # no cookie of its own
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "detection.access.passwords.OwnWords"},
    *production.known_passwords(env.str("HALLU_PASSWORD_LIST", default="")),
]
try:
    OIDC = identity_provider.configured(
        env.str("HALLU_OIDC_ISSUER", default=""),
        client_id=env.str("HALLU_OIDC_CLIENT_ID", default=""),
        client_secret=env.str("HALLU_OIDC_CLIENT_SECRET", default=""),
        scopes=env.str("HALLU_OIDC_SCOPES", default="openid profile"),
        groups_claim=env.str("HALLU_OIDC_GROUPS_CLAIM", default="groups"),
        groups=env.str("HALLU_OIDC_GROUPS", default=""),
        creates=env.bool("HALLU_OIDC_CREATE", default=False),
        emergency=env.list("HALLU_OIDC_EMERGENCY", default=[]),
        second_factors=env.list("HALLU_OIDC_SECOND_FACTOR", default=[]),
    )
except ValueError as fault:
    raise ImproperlyConfigured(str(fault)) from None
HALLU_SECOND_FACTOR = production.second_factor(
    env.str("HALLU_SECOND_FACTOR", default="") or str(PRODUCTION).lower()
)
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "detection.access.sign_in.EmergencyAlone",
    "django.contrib.auth.backends.ModelBackend",
    "detection.access.sign_in.SecondFactors",
]
AXES_HANDLER = "detection.access.log_in.Failures"
AXES_CLIENT_IP_CALLABLE = "detection.access.addresses.client_address"
AXES_LOCKOUT_CALLABLE = "detection.access.log_in.refused"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = "detection.access.log_in.cool_off"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "code", "state"]  # of a provider's answer the code too
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # else whoever goes on guessing keeps it closed
CSRF_FAILURE_VIEW = "reviews.display.screen.csrf_failed"
AXES_VERBOSE = False

# --- the application --------------------------------------------------------------------------------
INSTALLED_APPS = [
    "hallu_site",  # first: its commands go before Django's of the same name
    "hallu_site.apps.Administration",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "hallu_site.apps.StaticFiles",
    "axes",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "template_partials",
    "detection",
    "reviews",
]
MIDDLEWARE = [
    "hallu_site.metrics.requests.watch_requests",
    "hallu_site.request_ids.number_requests",
    "hallu_site.programs.answer_programs",  # what follows is for pages alone
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "detection.access.idle.end_idle",
    "detection.access.sign_in.hold_back",
    "reviews.account.languages.speak",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "detection.access.log_in.know_devices",
]
ROOT_URLCONF = "hallu_site.urls"
WSGI_APPLICATION = "hallu_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "queue"
LOGOUT_REDIRECT_URL = "login"

# --- database and cache -----------------------------------------------------------------------------
if SQLITE:
    # WAL lets readers and the one writer work side by side; IMMEDIATE takes the write lock at BEGIN, so a
    # transaction that reads before it writes waits its turn instead of failing (measured: 0 locked errors).
    DATABASES["default"]["ENGINE"] = "hallu_site.sqlite3"
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # Closing the last connection of a process writes the whole log back: a fifth of what a request takes.
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    # A file, not memory: tests start real worker processes that must see the same rows.
    DATABASES["default"]["TEST"] = {"NAME": str(HALLU_VAR / "test.sqlite3")}
else:
    # How long an answer is waited for: detection/operations/patience.py.
    DATABASES["default"] |= {
        "ENGINE": "hallu_site.postgresql",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        # A cursor of the server lives on one connection, and PgBouncer gives the next statement another.
        "DISABLE_SERVER_SIDE_CURSORS": BEHIND_PGBOUNCER,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# How long a store that can be done without is waited for (detection/operations/optional.py).
OPTIONAL_STORE_SECONDS = 0.05
CACHES = {"default": configured(CACHE_URL, seconds=OPTIONAL_STORE_SECONDS)}

# --- texts and static files -------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("he", "עברית"), ("zh-hans", "简体中文"), ("zh-hant", "繁體中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["hallu_site.formats"]
LANGUAGE_COOKIE_NAME = "__Host-language" if HTTPS else "hallu_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = HALLU_VAR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Compression takes longer than all the rest of a first start, and pays over a network only.
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    },
}
WHITENOISE_MANIFEST_STRICT = False
WHITENOISE_ADD_HEADERS_FUNCTION = keep_apart
# Source maps are most of the bytes and read by developers only.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["map", "png", "woff", "woff2", "gz", "br"]

# --- API --------------------------------------------------------------------------------------------
DATA_UPLOAD_MAX_MEMORY_SIZE = env.int("HALLU_MAX_BODY_BYTES", default=16 * 1024 * 1024)
HALLU_MAX_ANSWER_CHARS = env.int("HALLU_MAX_ANSWER_CHARS", default=1_100_000)
HALLU_MAX_SOURCES = env.int("HALLU_MAX_SOURCES", default=20_000)
HALLU_REQUESTS_PER_MINUTE = env.int("HALLU_REQUESTS_PER_MINUTE", default=30_000)
HALLU_WAITERS = production.at_least(1, "HALLU_WAITERS", env.int("HALLU_WAITERS", default=16))
HALLU_DETECT_SECONDS = production.at_least(
    2, "HALLU_DETECT_SECONDS", env.int("HALLU_DETECT_SECONDS", default=10)
)
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["detection.parsers.StrictJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["detection.access.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["detection.access.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["detection.access.throttle.KeyThrottle"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "detection.problems.handle",
    "COERCE_DECIMAL_TO_STRING": True,
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Hallu API",
    "DESCRIPTION": "Submit answers with their sources, read which sentence and which number can be trusted.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "detection.api.openapi.with_numbers",
        "detection.api.openapi.with_problems",
    ],
    "ENUM_NAME_OVERRIDES": {
        "RunStatus": "detection.serializers.results.STATUSES",
        "ClaimStatus": "detection.serializers.results.CLAIM_STATUSES",
        "SlotName": "detection.serializers.results.SLOTS",
        "SlotVerdict": "detection.serializers.results.SLOT_VERDICTS",
        "VerdictEnum": "reviews.api.serializers.VERDICTS",
        "Check": "detection.serializers.results.CHECKS",
        "ConclusionWord": "detection.core.types.CONCLUSIONS",
        "DecidedBy": "detection.serializers.results.DECIDED_BY",
        "SlotNamedBy": "detection.serializers.results.NAMED_BY",
        "StepStatus": "detection.serializers.traces.STEP_STATUSES",
        "FactStatus": "detection.serializers.facts.STATUSES",
        "ReviewStatus": "reviews.models.states.State.choices",
        "StrictAnswerStatus": "reviews.api.strict_serializers.STATUSES",
    },
}

# --- workers ----------------------------------------------------------------------------------------
WORKER_POOL = env.str("HALLU_WORKER_POOL", default="threads" if EMBEDDED_BROKER else "prefork")
RUN_LEASE_SECONDS = env.int("HALLU_RUN_LEASE_SECONDS", default=30)
RUN_ATTEMPTS = env.int("HALLU_RUN_ATTEMPTS", default=5)
SWEEP_SECONDS = env.int("HALLU_SWEEP_SECONDS", default=15)
FRAMES_DAYS = env.int("HALLU_FRAMES_DAYS", default=30)
FRAMES_MOST = env.int("HALLU_FRAMES_MOST", default=200_000)
ACTIVATION_GATE = "reviews.thresholds.gates.of_profile"  # detection/profiles/gates.py
REVIEW_LEASE_SECONDS = env.int("HALLU_REVIEW_LEASE_SECONDS", default=600)

# --- audits (review-queue F22); tests that do not speak of them see none -----------------------------
AUDITED = not env.bool("HALLU_TEST", default=False)
SHARES = {  # of the answers that no one would look at otherwise; the last one of all reviews
    "HALLU_AUDIT_BASE": env.float("HALLU_AUDIT_BASE", default=0.03 * AUDITED),
    "HALLU_AUDIT_BOUNDARY": env.float("HALLU_AUDIT_BOUNDARY", default=0.15 * AUDITED),
    "HALLU_AUDIT_NEW": env.float("HALLU_AUDIT_NEW", default=0.20 * AUDITED),
    "HALLU_BLIND_SHARE": env.float("HALLU_BLIND_SHARE", default=0.10 * AUDITED),
}
HALLU_AUDIT_BASE, HALLU_AUDIT_BOUNDARY, HALLU_AUDIT_NEW, HALLU_BLIND_SHARE = (
    production.share(name, given) for name, given in SHARES.items()
)
HALLU_AUDIT_SALT = env.str("HALLU_AUDIT_SALT", default="") or SECRET_KEY

# --- histories (SEC-20) -----------------------------------------------------------------------------
AUDIT_KEYS = production.audit_keys(
    env.str("HALLU_AUDIT_KEY", default=""), env.str("HALLU_AUDIT_KEY_FILE", default=""), SECRET_KEY
)
AUDIT_HEADS = Path(env.str("HALLU_AUDIT_HEADS", default="") or HALLU_VAR / "audit" / "heads.jsonl")

# --- how long what is kept, in days (SEC-19) --------------------------------------------------------
KEPT = {
    "answers": ("HALLU_KEEP_ANSWERS", env.str("HALLU_KEEP_ANSWERS", default="forever")),
    "strict": ("HALLU_KEEP_ANSWERS", env.str("HALLU_KEEP_ANSWERS", default="forever")),
    "traces": ("HALLU_KEEP_TRACES", env.str("HALLU_KEEP_TRACES", default="forever")),
    "facts": ("HALLU_KEEP_FACTS", env.str("HALLU_KEEP_FACTS", default="forever")),
    "histories": ("HALLU_KEEP_HISTORIES", env.str("HALLU_KEEP_HISTORIES", default="forever")),
    "admin_log": ("HALLU_KEEP_ADMIN_LOG", env.str("HALLU_KEEP_ADMIN_LOG", default="forever")),
    "log_ins": ("HALLU_KEEP_LOG_INS", env.str("HALLU_KEEP_LOG_INS", default="30")),
    "idempotency": ("HALLU_KEEP_IDEMPOTENCY", env.str("HALLU_KEEP_IDEMPOTENCY", default="7")),
    "sessions": ("HALLU_KEEP_SESSIONS", env.str("HALLU_KEEP_SESSIONS", default="1")),
}
KEEP = {kind: production.days(*given) for kind, given in KEPT.items()}

# --- verification (SPEC-08.34) ----------------------------------------------------------------------
try:
    HALLUCINATION = configuration.load(
        env.str("HALLUCINATION_CONFIG", default=""),
        {name: env.str(name, default="") for name in configuration.VARIABLES},
    )
except configuration.ConfigurationError as faults:
    raise ImproperlyConfigured(str(faults)) from None
VERIFIER = {
    "backend": HALLUCINATION["backend"]["type"],
    "base_url": env.str("HALLU_VERIFIER_BASE_URL", default=""),
    "model": env.str("HALLU_VERIFIER_MODEL", default=""),
    "api_key": env.str("HALLU_VERIFIER_API_KEY", default=""),
    "timeout": HALLUCINATION["timeout"],
    "cache_ttl": HALLUCINATION["cache_ttl"],
    "batch_size": HALLUCINATION["batch_size"],
    "samples": env.int("HALLU_VERIFIER_SAMPLES", default=10),
    "probe_days": env.float("HALLU_VERIFIER_PROBE_DAYS", default=7.0),
    "price_in": env.float("HALLU_VERIFIER_PRICE_IN", default=0.0),
    "price_out": env.float("HALLU_VERIFIER_PRICE_OUT", default=0.0),
    "daily_usd": env.str("HALLU_VERIFIER_DAILY_USD", default=""),
    "haiku": {
        "base_url": env.str("HALLU_HAIKU_BASE_URL", default=""),
        "model": env.str("HALLU_HAIKU_MODEL", default=""),
        "api_key": env.str("HALLU_HAIKU_API_KEY", default=""),
        "price_in": env.float("HALLU_HAIKU_PRICE_IN", default=0.0),
        "price_out": env.float("HALLU_HAIKU_PRICE_OUT", default=0.0),
    },
}

# --- metrics ----------------------------------------------------------------------------------------
METRICS_TOKEN = env.str("HALLU_METRICS_TOKEN", default="")
METRICS_NETWORKS = env.list("HALLU_METRICS_NETWORKS", default=["127.0.0.0/8", "::1/128"])

# --- traces: an OTLP address that spans are sent to (detection/spans) ---------------------------------
TRACES = production.address("HALLU_TRACES", env.str("HALLU_TRACES", default=""))

# --- logs -------------------------------------------------------------------------------------------
LOG_FORMAT = production.one_of(
    "HALLU_LOG_FORMAT", env.str("HALLU_LOG_FORMAT", default="lines"), "lines", "json"
)
# On a terminal the events of a hundred demo answers would push the address and the log-ins out of sight.
WATCHED = not PRODUCTION and not env.bool("HALLU_TEST", default=False)
LOG_LEVEL = env.str("HALLU_LOG_LEVEL", default="WARNING" if WATCHED else "INFO")
LOG_TEXT = env.bool("HALLU_LOG_TEXT", default=False)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "detection.logs.Lines"}, "json": {"()": "detection.logs.Json"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    # Celery sets the root's level by an option of its own; ours keep theirs. The books count verifiers' requests;
    # what becomes of spans is logged once (detection/spans/sending.py).
    "loggers": {name: {"level": LOG_LEVEL} for name in ("detection", "reviews", "hallu_site")}
    | {"httpx2": {"level": "WARNING"}, "opentelemetry": {"level": "CRITICAL"}},
}
