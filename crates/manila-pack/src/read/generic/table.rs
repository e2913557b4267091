//! The phrases, in the order in which they are looked for: the narrow ones before the wide ones, and
//! a rate limit before authentication.

use manila::Exit;

/// Phrases that mean one class.
pub(super) struct Group {
    /// `None` for the class of the HTTP status.
    pub(super) class: Option<Exit>,
    pub(super) rules: &'static [Rule],
}

/// Phrases that mean one thing.
pub(super) struct Rule {
    pub(super) code: &'static str,
    /// In lower case.
    pub(super) phrases: &'static [&'static str],
    /// Statuses of HTTP that mean it.
    pub(super) http: &'static [u16],
    /// Calling again can help although the class does not say so.
    pub(super) retry: bool,
    /// It lasts for hours.
    pub(super) quota: bool,
    /// The words are narrow enough to count in a line that is not worded as an error.
    pub(super) stray: bool,
}

const fn rule(code: &'static str, phrases: &'static [&'static str]) -> Rule {
    Rule { code, phrases, http: &[], retry: false, quota: false, stray: false }
}

const fn numbered(
    code: &'static str,
    http: &'static [u16],
    phrases: &'static [&'static str],
) -> Rule {
    Rule { http, ..rule(code, phrases) }
}

const fn group(class: Exit, rules: &'static [Rule]) -> Group {
    Group { class: Some(class), rules }
}

/// Statuses that say what failed without further words; a rate limit is looked for before them.
#[rustfmt::skip]
const HTTP_FAILURES: &[u16] = &[
    400, 401, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 422, 423, 425,
    451, 500, 502, 503, 504, 507, 508, 520, 521, 522, 523, 524, 529, 598, 599,
];

/// A phrase with `&` is two that are both in the line.
#[rustfmt::skip]
pub(super) static GROUPS: &[Group] = &[
    group(Exit::Precondition, &[
        Rule { stray: true, ..rule("NO_SPACE", &["no space left on device", "enospc", "disk quota exceeded", "edquot", "disk full", "not enough space", "insufficient disk space", "database or disk is full", "not enough free space"]) },
        Rule { stray: true, ..rule("READ_ONLY", &["read-only file system", "erofs", "attempt to write a readonly database", "--read-only option", "read-only transaction", "read-only replica", "read only replica", "is in read-only mode", "database is in read only"]) },
        Rule { stray: true, ..rule("CERTIFICATE_NOT_TRUSTED", &["server gave http response to https client", "certificate verify failed", "certificate_verify_failed", "certificate verification failed", "certificate has expired", "certificate is not trusted", "certificate signed by unknown authority", "certificate is not valid", "certificate subject name", "unable to get local issuer certificate", "unable to verify the first certificate", "unable_to_verify_leaf_signature", "self-signed certificate", "self signed certificate", "depth_zero_self_signed_cert", "self_signed_cert_in_chain", "cert_has_expired", "ssl certificate problem", "x509", "invalid peer certificate", "host key verification failed"]) },
    ]),
    group(Exit::PaymentRequired, &[
        numbered("PAYMENT_REQUIRED", &[402], &["quota exceeded&billing", "plan and billing", "payment required", "insufficient credits", "insufficient funds", "insufficient_quota", "insufficient quota", "credit balance is too low", "billing is not enabled", "billing account", "billing hard limit", "subscription required", "upgrade your plan", "trial has expired", "trial expired", "out of credits"]),
    ]),
    group(Exit::RateLimited, &[
        rule("RATE_LIMITED", &["quota exceeded&per minute", "quota exceeded&per second", "quota exceeded&seconds", "quota&requests per"]),
        Rule { quota: true, stray: true, ..rule("QUOTA_EXCEEDED", &["session limit", "5-hour limit", "hit your limit", "pull rate limit", "daily limit", "weekly limit", "monthly limit", "daily quota", "monthly quota", "usage limit reached", "hit your usage limit", "reached your usage limit", "usage limit exceeded", "quota exceeded for the day", "limit resets at", "quota exceeded", "exceeded quota", "quota has been exceeded", "exceeds the quota", "quota reached", "over quota", "quota limit"]) },
        Rule { stray: true, ..numbered("RATE_LIMITED", &[429], &["high demand", "too many requests", "toomanyrequests", "rate limit", "rate limits", "rate-limit", "rate limited", "rate-limited", "ratelimited", "ratelimit", "rate_limit", "rate_limited", "rate_limit_error", "rate exceeded", "throttled", "throttling", "throttlingexception", "request throttled", "throughput exceeded", "request limit exceeded", "requestlimitexceeded", "slow down", "slowdown", "e429", "resource exhausted", "resource_exhausted", "too many login attempts", "too many connections", "too many clients", "max connections", "maximum number of connections", "connection limit exceeded", "too many open connections", "remaining connection slots", "exceeded your current quota", "enhance your calm", "sending requests too quickly", "abuse detection", "secondary rate limit"]) },
    ]),
    group(Exit::AuthRequired, &[
        Rule { stray: true, ..rule("CREDENTIALS_REFUSED", &["must be logged in", "api key not valid", "invalid api key", "incorrect api key", "invalid x-api-key", "run&login", "no basic auth credentials", "missing client token", "couldn't fetch token", "cannot fetch token", "access token is required", "must be set for login", "incorrect username or password", "invalid username or password", "default credentials", "permission denied (publickey", "permission denied (password", "permission denied (keyboard-interactive", "permission denied (gssapi", "invalid or non-existent authentication", "access key&does not exist", "user name is empty", "passphrase&incorrect", "wrong passphrase", "incorrect passphrase", "bad passphrase"]) },
    ]),
    group(Exit::PermissionDenied, &[
        rule("NOT_ALLOWED", &["are you root", "permission denied&connect", "permission denied&lock", "missing required scope", "missing required scopes", "missing scope", "missing scopes", "required scope", "required scopes", "missing permission", "missing permissions", "required permission", "required permissions", "nt_status_access_denied"]),
    ]),
    group(Exit::Conflict, &[
        rule("DEPENDENCY_CONFLICT", &["could not find compatible versions", "conflicting dependencies", "dependency conflict", "resolutionimpossible", "could not be resolved to an installable set", "resolution impossible", "eresolve", "version solving failed", "unable to resolve dependency tree", "could not resolve dependencies:", "unable to resolve dependencies", "failed to resolve dependencies", "unsatisfiable", "unsatisfiableerror", "conflicting requirements", "incompatible requirements", "no solution found", "version conflict", "peer dependency conflict"]),
        Rule { retry: true, stray: true, ..rule("LOCK_HELD", &["could not get lock", "unable to lock", "unable to acquire&lock", "could not acquire&lock", "failed to acquire&lock", "cannot acquire&lock", "acquiring the state lock", "acquire lock", "acquire the lock", "database is locked", "database table is locked", "sqlite_busy", "is locked by another", "is locked", "lock file exists", "lock is held", "already locked", "held by process", "resource is locked", "another instance is", "another process is", "is another process using it", "blocking waiting for file lock", "could not lock", "lock timeout", "lock wait timeout", "deadlock detected", "deadlock found", "could not obtain lock", "failed to obtain&lock", "could not serialize access", "lockfile exists", ".lock': file exists", "another operation", "another transaction is in progress", "waiting to lock", "in use by another", "another command&is running", "another&instance", "held by another", "locked by another", "lock held by", "cannot lock", "can't lock", "couldn't lock", "failed to lock", "holding the&lock", "holds the&lock", "change in progress", "operation in progress", "operation is in progress", "operation already in progress", "another&in progress", "waiting for lock", "wait for lock", "lock is already held", "lock already held", "locked by pid", "locked by process", "failed to get&lock", "another process using"]) },
        rule("ALREADY_EXISTS", &["file already exists", "already exists&400", "already exists&403", "already exists&422", "already been taken&422"]),
    ]),
    Group { class: None, rules: &[
        Rule { stray: true, ..numbered("HTTP", HTTP_FAILURES, &[]) },
    ] },
    group(Exit::Unavailable, &[
        Rule { stray: true, ..rule("CONNECTION_FAILED", &["connection refused", "connectionrefused", "econnrefused", "connect refused", "was refused", "actively refused", "connection aborted", "econnaborted", "connection was killed", "server closed the connection", "server has gone away", "closed the connection unexpectedly", "remote end closed connection", "empty reply from server", "socket hang up", "no route to host", "ehostunreach", "network is unreachable", "enetunreach", "enetdown", "network is down", "host is down", "host is unreachable", "network unreachable", "destination unreachable", "could not resolve host", "could not resolve hostname", "could not resolve proxy", "could not resolve address", "couldn't resolve host", "cannot resolve host", "cannot resolve hostname", "failed to resolve host", "failed to resolve address", "failed to lookup address", "could not translate host name", "name or service not known", "nameresolutionerror", "temporary failure in name resolution", "temporary failure resolving", "nodename nor servname", "no address associated with hostname", "name resolution failed", "name resolution failure", "name resolution error", "error in name resolution", "getaddrinfo", "eai_again", "enotfound", "no such host", "unknown host", "unknown server host", "unknown mysql server host", "unknownhostexception", "lookup address information", "dns lookup failed", "dns error", "dns resolution", "server misbehaving", "tls handshake", "ssl_error_syscall", "handshake failure", "handshake failed", "connection broken", "incompleteread", "protocolerror", "max retries exceeded", "newconnectionerror", "connection pool is closed", "i/o timeout", "connection timed out", "connect timed out", "connection attempt timed out", "connect timeout", "connecttimeout", "connection timeout", "connection timeouted", "etimedout", "esockettimedout", "connecttimeouterror", "dial tcp", "dial unix", "connection failure", "connectionerror", "connection failed", "networkerror", "network failure", "network connection", "typeerror: fetch failed", "socket error", "transport error", "the server doesn't respond", "proxy error", "no internet connection", "is the server running", "is the docker daemon running", "spurious network error", "communication failure", "serverselectiontimeouterror", "server selection", "no servers available", "no server available", "can't reach", "cannot reach", "could not reach", "couldn't reach", "unable to reach", "failed to reach the server", "failed to reach server", "failed to reach host", "failed reaching server", "failed to reach http", "host is not reachable", "server is not reachable", "internet not reachable", "host not reachable", "server not reachable", "cluster unreachable", "server unreachable", "unreachable host", "unreachable!", "is unreachable", "are unreachable", "unreachable:", "transport failure", "no brokers available", "nobrokersavailable", "broker may not be available", "unable to contact", "could not contact", "cannot contact", "failed to contact", "could not be established", "could not establish", "failed to establish", "unable to establish", "remoteprotocolerror", "remotedisconnected", "server disconnected", "premature close", "prematurely closed", "und_err_socket", "und_err_connect_timeout", "socket disconnected", "goaway", "received from peer", "no cluster leader", "no leader", "can't contact", "couldn't contact", "unable to obtain connection", "connection to&refused", "unable to perform an operation on node", "no server running", "is the server up", "not responding", "did not respond", "doesn't respond", "does not respond", "failed to dial", "error dialing", "error while dialing", "curl error (6)", "curl error (7)", "curl error (28)", "curl error (35)", "curl error (52)", "curl error (56)", "couldn't be downloaded&couldn't connect", "no connection could be made", "no available server", "all servers failed", "failed to connect socket", "internet connection", "check your network", "check your connection", "network connectivity", "no response from", "no&replied", "can't resolve host"]) },
        Rule { stray: true, ..rule("SERVICE_UNAVAILABLE", &["service unavailable", "serviceunavailable", "expected http/", "hpe_invalid_constant", "temporarily unavailable", "temporarily overloaded", "bad gateway", "gateway timeout", "gateway time-out", "internal server error", "internalservererror", "internalerror", "internal failure", "server is overloaded", "overloaded_error", "overloaded", "server is busy", "server busy", "currently unavailable", "try your request again", "unavailable:", "backend error", "upstream connect error", "upstream request timeout", "no healthy upstream", "under maintenance", "maintenance mode", "the database system is starting up", "the database system is shutting down", "loading the dataset in memory", "masterdown", "clusterdown", "tryagain", "service is unavailable", "server is unavailable", "registry is unavailable", "host is unavailable", "api is unavailable", "backend is unavailable", "code = unavailable"]) },
    ]),
    group(Exit::General, &[
        Rule { stray: true, ..rule("CRASHED", &["panic: runtime error", "cannot read properties of", "cannot read property", "typeerror", "keyerror", "attributeerror", "indexerror", "nameerror", "zerodivisionerror", "referenceerror", "nullpointerexception", "indexoutofboundsexception"]) },
        rule("BUILD_FAILED", &["build failed", "compilation failed", "compilation failure", "compilation error :", "compilation terminated", "ld returned", "undefined reference", "linker command failed", "undefined symbols for architecture", "checked&source file", "checked&source files", "test suites:&failed", "tests:&failed", "uncaught error", "call to undefined", "failed to compile", "compiled with&error", "compiled with&errors", "type error:"]),
    ]),
    group(Exit::Precondition, &[
        rule("NOT_IN_A_PROJECT", &["requires a project to execute", "not a git repository", "is not a working copy", "no repository found in", "no linked project", "does not contain a project", "only supported from within", "please install"]),
    ]),
    group(Exit::ArgError, &[
        rule("USAGE", &["unrecognized option", "unrecognized options", "unrecognised option", "unrecognized argument", "unrecognized arguments", "unrecognized flag", "unrecognized command", "unrecognized subcommand", "unrecognized parameter", "unknown option", "unknown options", "unknown argument", "unknown arguments", "unknown flag", "unknown shorthand flag", "unknown command", "unknown subcommand", "unknown switch", "unknown parameter", "unknown directive", "unknown syntax", "unsupported option", "unsupported flag", "unsupported argument", "unsupported protocol", "illegal option", "illegal argument", "invalid option", "invalid flag", "invalid command", "invalid subcommand", "invalid switch", "bad option", "bad flag", "bad port", "bad number", "bad substitution", "bad parameter", "bad argument", "no such option", "no such command", "no such subcommand", "no such action", "not a valid", "is not a&command", "is not a recognized", "isn't a valid", "is not recognized as", "is not recognised as", "flag provided but not defined", "flag needs an argument", "requires an argument", "requires argument", "requires parameter", "requires a parameter", "option requires", "requires a value", "requires value", "expected one argument", "expected at least one argument", "expected a value", "expected argument", "unexpected argument", "unexpected arguments", "unexpected option", "unexpected flag", "unexpected parameter", "unexpected positional", "a value is required", "value is required", "required arguments", "arguments are required", "required option", "required flag", "required parameter", "missing required", "missing argument", "missing option", "missing parameter", "missing operand", "missing value", "missing file operand", "missing url", "missing package name", "option&required", "argument&required", "flag&required", "parameter&required", "--&is required", "must specify", "must provide", "must supply", "must be specified", "must give", "needs an argument", "extra operand", "too many arguments", "too many parameters", "too many positional", "too few arguments", "not enough arguments", "wrong number of arguments", "wrong # args", "accepts 0 arg", "accepts 1 arg", "accepts at most", "accepts at least", "requires at least", "requires exactly", "arg(s), received", "invalid choice", "invalid value", "invalid argument", "invalid arguments", "invalid parameter", "invalid number", "invalid integer", "invalid date", "invalid url", "invalid uri", "invalid syntax", "invalid format", "invalid json", "invalid regular expression", "invalid reference format", "invalid input", "invalid package name", "isn't valid", "cannot be used with", "can't be used with", "mutually exclusive", "not allowed with argument", "conflicts with the", "ambiguous option", "ambiguous command", "syntax error", "syntaxerror", "tomldecodeerror", "error in your sql syntax", "jsondecodeerror", "parse error", "parsing error", "could not parse", "couldn't parse", "failed to parse", "cannot parse", "unable to parse", "malformed", "bad request", "validation error", "validation failed", "validationerror", "validationexception", "unprocessable entity", "badrequest", "wrong type", "wrongtype", "unexpected token", "unexpected character", "unexpected end of", "error converting", "undefined column", "invalidargument", "invalid_argument", "einval", "eusage", "usage error", "url using bad", "out of range", "unexpected: end of file", "expected top-level statement", "unknown input format", "unknown output format", "unknown format", "unsupported format", "unterminated", "unclosed", "unbalanced", "indentationerror", "not a number", "not an integer", "must be a number", "must be an integer", "must be positive", "must be one of", "should be one of", "expected one of", "allowed values", "valid values are", "valid options are", "possible values", "cannot be empty", "can't be empty", "must not be empty", "cannot be blank", "can't be blank", "must not be blank", "exceeds the maximum length", "schema validation", "not well-formed", "could not be parsed", "unable to decode", "failed to decode", "cannot unmarshal", "failed to unmarshal", "no files specified", "no input files", "no arguments", "exactly one of", "only one of", "at least one of", "cannot specify", "can't specify", "cannot combine", "may not be combined", "incompatible options", "did you mean", "invalid data found", "must be lowercase", "repository name must be", "mapping values are not allowed", "did not find expected", "yaml: line", "yaml: unmarshal", "parser error", "no decode delegate", "cannot be negative", "cannot be less than", "cannot be greater than", "must be greater than", "must be less than", "must be at least", "must be at most", "bogus", "must have&specified"]),
    ]),
    group(Exit::AuthRequired, &[
        Rule { stray: true, ..rule("AUTH_REQUIRED", &["sso token", "auth failure", "auth method", "interactive login", "multi-factor", "expired authentication token", "getting credentials", "no token", "prompt for login", "_token environment variable", "access credentials", "token for", "unauthorized", "unauthorised", "unauthenticated", "not authenticated", "authentication failed", "authentication failure", "authentication failures", "authentication required", "authorization required", "authentication error", "authentication is required", "authentication has expired", "authenticationerror", "failed to authenticate", "could not authenticate", "requires authentication", "auth failed", "requires auth", "invalid auth", "noauth", "wrongpass", "not logged in", "you are not logged", "not signed in", "login required", "must log in", "please log in", "please login", "please sign in", "log in to", "login first", "need to log in", "auth login", "session expired", "session has expired", "token expired", "token has expired", "token is expired", "expired token", "expiredtoken", "expired_token", "credentials expired", "credentials have expired", "token is invalid", "invalid token", "invalid_token", "invalid access token", "invalid authentication", "bad credentials", "invalid credentials", "invalid_grant", "invalid_client", "invalid login", "invalid username", "invalid user name", "incorrect password", "wrong password", "password incorrect", "password authentication failed", "no password supplied", "a password is required", "invalid_api_key", "api key is missing", "missing api key", "no api key", "no credentials", "credentials not found", "retrieving credentials", "unable to locate credentials", "could not find default credentials", "could not load the default credentials", "missing credentials", "credentials were not", "credentials are required", "could not read username", "could not read password", "access token is missing", "missing access token", "permission denied, please try again", "invalidclienttokenid", "unrecognized client", "security token", "signaturedoesnotmatch", "eneedauth", "requires login", "re-authenticate", "reauthenticate", "reauthentication", "access denied for user", "sign in to", "sign in again", "signed in", "login failed", "login incorrect", "logon failure", "unable to authenticate", "cannot authenticate", "authenticate first", "needs authentication", "invalid session", "session is invalid", "no authentication", "credentials are not valid", "credentials are invalid", "authentication credentials", "configure a token", "token is required", "token required", "token is missing", "missing token", "missing api token", "no api token", "api token is required", "token not provided", "token not found", "token not set", "please authenticate", "need to authenticate", "must authenticate", "must be authenticated", "authorization header", "bearer token", "login has expired", "not logged into", "not yet logged in", "nt_status_logon_failure", "account is required", "api key must"]) },
    ]),
    group(Exit::Timeout, &[
        Rule { stray: true, ..rule("TIMED_OUT", &["deadline exceeded", "deadline_exceeded", "timed out", "timeouterror", "timeout expired", "timeout exceeded", "timeout was reached", "timeout waiting", "timeout of", "operation too slow", "time limit exceeded", "canceling statement due to statement timeout", "read timeout", "request timeout", "requesttimeout"]) },
    ]),
    group(Exit::PermissionDenied, &[
        rule("PERMISSION_DENIED", &["is denied", "denied: requested", "authorization failed", "does not have authorization", "permission denied", "permission_denied", "permissiondenied", "permission was denied", "permissions denied", "access denied", "accessdenied", "access is denied", "access_denied", "accessdeniedexception", "forbidden", "not authorized", "not authorised", "notauthorized", "unauthorizedoperation", "not permitted", "not allowed to", "is not allowed", "no permission", "noperm", "insufficient permission", "insufficient permissions", "insufficient privilege", "insufficient privileges", "insufficient scope", "insufficient authentication scopes", "insufficient rights", "does not have permission", "don't have permission", "do not have permission", "lacks permission", "requires superuser", "must be superuser", "must be owner of", "command denied", "command denied to user", "unless you are root", "superuser privileges", "must be root", "requires root", "superuser privilege", "need root", "run as root", "as superuser", "eacces", "eperm", "denied by policy", "protected branch", "permissionerror", "permission error", "write permissions", "write permission", "sufficient permission", "sufficient permissions", "sufficient access", "administrator privileges", "elevated privileges", "requires administrator", "run as administrator", "do not have access", "don't have access", "does not have access", "access forbidden", "not accessible by", "gated repo", "cannot access gated repo", "insufficient access", "requires sudo", "use sudo", "with sudo", "admin access", "admin rights", "administrator access", "access restricted", "organization policy", "blocked by policy", "only root", "only the owner", "not writable", "not readable by", "is not owned by", "cannot write to"]),
    ]),
    group(Exit::NotFound, &[
        Rule { stray: true, ..rule("PROGRAM_NOT_FOUND", &["command not found", "executable file not found", "executable not found", "program not found", "no such program"]) },
        rule("NOT_FOUND", &["could not resolve to a", "no&found", "no&named", "couldn't open", "failed to open", "can't cd to", "cannot cd to", "not found", "notfound", "not_found", "filenotfound", "no such", "nosuchbucket", "nosuchkey", "nosuchentity", "enoent", "does not exist", "doesn't exist", "do not exist", "not exist", "doesnotexist", "could not find", "couldn't find", "could not locate", "no key exists", "did not resolve to", "can't find", "cannot find", "can not find", "unable to find", "unable to locate", "failed to find", "could not be found", "cannot be found", "no matching", "no match for", "no matches for", "did not match any", "didn't match any", "does not match any", "no package", "no packages found", "no candidate", "has no installation candidate", "cannot open", "can't open", "could not open", "cannot access", "cannot stat", "cannot read", "missing script", "missing file", "unknown revision", "unknown user", "unknown database", "unknown package", "unknown module", "unknown repository", "unresolved import", "modulenotfounderror", "filenotfounderror", "no module named", "e404", "not registered", "is not defined", "does not appear to be", "no results found", "no entries found", "can't locate", "cannot locate", "couldn't locate", "didn't find", "did not find", "unknown target", "no rule to make target", "does not contain", "does not appear to contain", "no longer exists", "video unavailable", "unknown image", "unknown instance", "unknown service", "unknown task", "unknown project", "unknown environment", "unknown table", "unknown column", "unknown branch", "unknown remote", "unknown profile", "unknown model", "unknown resource", "not present", "does not provide attribute", "no sessions", "bad network name", "nothing matches", "there is no package", "there is no such", "there are no", "no&with name", "no&with the name", "no&with id", "no&called", "has been deleted", "has been removed", "was deleted", "no longer available", "was removed", "can't resolve", "could not resolve", "cannot resolve"]),
    ]),
    group(Exit::Conflict, &[
        rule("CONFLICT", &["conditional request failed", "conditional check failed", "already allocated", "is being modified", "locked", "already exists", "already exist", "alreadyexists", "already_exists", "already in use", "already used", "already running", "already in progress", "already been", "already taken", "already initialized", "already installed", "already registered", "already published", "already active", "already enabled", "bucketalreadyexists", "address in use", "eaddrinuse", "file exists", "eexist", "directory not empty", "enotempty", "not empty", "is a directory", "eisdir", "not a directory", "enotdir", "duplicate key", "duplicate entry", "duplicate", "unique constraint", "constraint failed", "violates", "conflict", "conflicts", "conflicting", "has been modified", "has changed", "was modified", "non-fast-forward", "creates new remote head", "optimistic lock", "version mismatch", "version not changed", "hash mismatch", "checksum mismatch", "does not match", "resource busy", "device busy", "text file busy", "ebusy", "in use by", "is in use", "is being used", "are the same file", "cannot overwrite", "would be overwritten", "refusing to overwrite", "incompatible", "patch failed", "e155011", "e160028", "is busy", "device or resource busy", "target is busy", "port&in use", "dirty database", "still has dependents", "still in use", "still referenced", "not unique", "must be unique", "uniqueness_error", "has unmerged", "merge conflict", "diverged", "has diverged", "would overwrite", "cannot be overwritten", "stale", "etag mismatch", "revision mismatch", "concurrent modification", "concurrent update", "modified concurrently", "already a member", "already a", "already open", "already mounted", "already connected", "already created", "already defined", "already configured", "already scheduled", "already up to date", "connection in use"]),
    ]),
    group(Exit::Unavailable, &[
        Rule { stray: true, ..rule("CONNECTION_LOST", &["unable to connect", "unable to load the service index", "failed to connect", "can't connect", "cannot connect", "could not connect", "couldn't connect", "error connecting to", "not connect to server", "connection error", "network error", "error sending request", "://&: eof", "stream disconnected", "transfer closed", "giving up after", "insufficient capacity", "insufficient instance capacity", "temporary error", "temporary errors", "connection reset", "connectionreset", "econnreset", "connection was reset", "connection was closed", "connection closed", "connection lost", "lost connection", "remote host closed", "socket closed", "epipe", "unexpected disconnect", "remote end hung up", "early eof", "connection dropped", "broken pipe", "unexpected eof", "try again later"]) },
    ]),
    group(Exit::Precondition, &[
        rule("PRECONDITION", &["not initialized", "not initialised", "uninitialized", "not configured", "no configuration", "configuration error", "config error", "bad config", "misconfigured", "not installed", "must be installed", "is not running", "not running", "not started", "not enabled", "is disabled", "precondition", "must first", "must be run from", "must be set", "is not set", "not set", "not specified", "no default", "uncommitted", "unstaged", "working tree", "has no commits", "does not have any commits", "nothing to commit", "unsupported", "not supported", "notsupported", "not implemented", "out of memory", "cannot allocate memory", "enomem", "oomkilled", "too many open files", "emfile", "no lockfile", "lockfile", "lock file", "out of date", "out of sync", "please run", "try running", "run the following", "first run", "no active", "no current", "no project", "could not determine", "cannot determine", "unable to determine", "too old", "too new", "wrong version", "failed precondition", "failed_precondition", "dubious ownership", "dependency problems", "unmet dependencies", "broken packages", "held broken packages", "refusing to", "not possible", "must be", "requires", "is required", "are required", "required", "limit exceeded", "limit reached", "exceeds the limit", "maximum number of", "not ready", "not available on", "is not available", "isn't available", "not compatible", "unsupported platform", "end of life", "requires a newer", "newer version", "older version", "no disk", "not mounted", "not bootstrapped", "not connected", "no&configured", "not yet installed"]),
    ]),
    group(Exit::General, &[
        Rule { stray: true, ..rule("CRASHED", &["panicked at", "panic:", "segmentation fault", "core dumped", "fatal error: unexpected signal", "stack overflow", "assertion failed", "assertion `", "assertionerror", "internal error", "unhandled exception", "uncaught exception", "internal compiler error"]) },
        rule("COMMAND_FAILED", &["command failed with", "execution failed for task", "exited with", "exit status", "exit code", "returned non-zero", "test failed", "tests failed", "failing tests", "could not compile", "aborting due to", "elifecycle", "failed with errors", "non-zero return code", "non-zero exit", "nonzero exit", "subcommand failed", "build stopped", "failed to build", "failed: (exit", "failed! =>", "exited ("]),
    ]),
    group(Exit::ArgError, &[
        rule("BAD_ARGUMENT", &["invalid", "illegal"]),
    ]),
    group(Exit::Timeout, &[
        rule("TIMEOUT", &[": timeout", "timeout:", "timeout after", "timeout reached", "timeout while", "timeout during", "timeout occurred", "timeout error", "network timeout", "wait timeout", "socket timeout", "timeout has expired", "timeout specified has expired"]),
    ]),
];

/// The statuses of `sysexits.h`.
pub(super) static SYSEXITS: &[(i32, Exit, &str)] = &[
    (64, Exit::ArgError, "EX_USAGE"),
    (65, Exit::ArgError, "EX_DATAERR"),
    (66, Exit::NotFound, "EX_NOINPUT"),
    (67, Exit::NotFound, "EX_NOUSER"),
    (68, Exit::Unavailable, "EX_NOHOST"),
    (69, Exit::Unavailable, "EX_UNAVAILABLE"),
    (70, Exit::General, "EX_SOFTWARE"),
    (71, Exit::General, "EX_OSERR"),
    (72, Exit::NotFound, "EX_OSFILE"),
    (73, Exit::Precondition, "EX_CANTCREAT"),
    (74, Exit::General, "EX_IOERR"),
    (75, Exit::Unavailable, "EX_TEMPFAIL"),
    (76, Exit::Unavailable, "EX_PROTOCOL"),
    (77, Exit::PermissionDenied, "EX_NOPERM"),
    (78, Exit::Precondition, "EX_CONFIG"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_in_lower_case_and_stand_once() {
        let mut seen = std::collections::BTreeMap::new();
        for group in GROUPS {
            for rule in group.rules {
                for phrase in rule.phrases {
                    assert_eq!(*phrase, phrase.to_lowercase());
                    assert_eq!(seen.insert(*phrase, rule.code), None, "{phrase}");
                }
            }
        }
    }

    #[test]
    fn a_rate_limit_is_looked_for_before_authentication() {
        let place = |class| GROUPS.iter().position(|group| group.class == Some(class));
        assert!(place(Exit::RateLimited) < place(Exit::AuthRequired));
    }
}
