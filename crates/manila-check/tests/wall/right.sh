#!/bin/sh
# A small program that is right: `notes`, which answers in response-envelope/1.0. Every other shell
# program of the wall is this one with a flaw: it defines `otherwise`, a function that defines some of
# the functions here anew, and then reads this file. Only builtins are used, so that a call takes a
# few milliseconds.

LC_ALL=C
version=1.2.0
json='' quiet='' help='' answered='' sleeper=''
limit=20 cursor=0 tag=''
dump_about='Print everything there is'
errors='' error_count=0

# --- writing -----------------------------------------------------------------------------------

# Every document goes to stdout through here.
put() { printf '%s\n' "$1"; }

# What people like to know and callers do not need; silent unless a person looks on.
say() { if [ -t 2 ] && [ -z "$quiet$json" ]; then printf '%s\n' "$1" >&2; fi; }

# Every process ends here.
finish() { exit "$1"; }

# The members of `meta`; further ones may be given.
meta() { meta="{\"duration_ms\":1,\"schema_version\":\"1.0\",\"tool_version\":\"$version\"$1}"; }

# envelope OK DATA ERROR [META]
envelope() {
    meta "${4-}"
    answered=yes
    put "{\"ok\":$1,\"data\":$2,\"error\":$3,\"warnings\":[],\"meta\":$meta}"
}

# succeed DATA [META]: the JSON answer of a call that worked.
succeed() {
    envelope true "$1" null "${2-}"
    finish 0
}

# error_object CODE MESSAGE [MEMBERS]
error_object() {
    quote "$2"
    error="{\"code\":\"$1\",\"message\":$quoted,\"retryable\":false${3-}}"
}

# fail STATUS CODE MESSAGE [MEMBERS]: the answer of a call that did not work.
fail() {
    if [ -n "$json" ]; then
        error_object "$2" "$3" "${4-}"
        envelope false null "$error"
    else
        answered=yes
        printf 'error: %s\n' "$3" >&2
    fi
    finish "$1"
}

fail_usage() { fail 3 ARG_ERROR "$1" ',"phase":"validation","suggestion":"notes --help"'; }
fail_missing() { fail 5 NOT_FOUND "there is no note '$1'"; }

# quote TEXT: sets `quoted` to the JSON of it. What is not printable ASCII cannot be distinguished from broken
# text with builtins alone, and becomes U+FFFD.
quote() {
    case $1 in
    *[!\ \!\#-\[\]-~]*) ;;
    *)
        quoted="\"$1\""
        return
        ;;
    esac
    quoted='' rest=$1
    while [ -n "$rest" ]; do
        first=${rest%"${rest#?}"} rest=${rest#?}
        case $first in
        '"' | '\') quoted="$quoted\\$first" ;;
        [\ -~]) quoted="$quoted$first" ;;
        *) quoted="$quoted\\ufffd" ;;
        esac
    done
    quoted="\"$quoted\""
}

# --- signals -----------------------------------------------------------------------------------

# cancel STATUS: what an interrupted call says, unless it has answered already.
cancel() {
    if [ -n "$sleeper" ]; then kill "$sleeper" 2>/dev/null; fi
    if [ -n "$answered" ]; then finish "$1"; fi
    fail "$1" CANCELLED 'the call was interrupted'
}

watch_signals() {
    trap 'cancel 130' INT
    trap 'cancel 143' TERM
}

# --- the notes ---------------------------------------------------------------------------------

# each_note FUNCTION: calls it with ID, TAG and TEXT of every note.
each_note() {
    "$1" 1 shopping 'Buy bread'
    "$1" 2 phone 'Call Ada'
    "$1" 3 home 'Water the plants'
    if [ -r "${HOME-}/.notes" ]; then
        while IFS='	' read -r note_id note_tag note_text; do
            "$1" "$note_id" "$note_tag" "$note_text"
        done <"$HOME/.notes"
    fi
}

# note_json ID TAG TEXT: sets `note`.
note_json() {
    quote "$3"
    note="{\"id\":$1,\"tag\":\"$2\",\"text\":$quoted}"
}

# note_text ID TAG TEXT: the note as people see it.
note_text() { printf '%3s  %-8s  %s\n' "$1" "$2" "$3"; }

# Takes a note into the page that is asked for.
collect() {
    total=$((total + 1))
    if [ "$total" -le "$cursor" ]; then return; fi
    if [ "$limit" -gt 0 ] && [ "$count" -ge "$limit" ]; then return; fi
    count=$((count + 1))
    if [ -n "$json" ]; then
        note_json "$@"
        items="$items${items:+,}$note"
    else
        note_text "$@"
    fi
}

# The notes that `collect` took, as an answer.
page() {
    next=$((cursor + count))
    if [ -z "$json" ]; then
        say "$count of $total notes"
        if [ "$next" -lt "$total" ]; then say "There are more: --cursor $next"; fi
        finish 0
    fi
    page_meta=''
    if [ "$next" -lt "$total" ]; then page_meta=",\"truncated\":true,\"cursor\":\"$next\""; fi
    succeed "{\"items\":[$items],\"total\":$total}" "$page_meta"
}

# --- the commands ------------------------------------------------------------------------------

run_list() {
    total=0 count=0 items=''
    each_note list_one
    page
}
list_one() { if [ -z "$tag" ] || [ "$tag" = "$2" ]; then collect "$@"; fi; }

run_search() {
    total=0 count=0 items='' word=$1
    each_note search_one
    page
}
search_one() { case $3 in *"$word"*) collect "$@" ;; esac; }

run_show() {
    wanted=$1
    each_note show_one
    fail_missing "$wanted"
}
show_one() {
    if [ "$1" != "$wanted" ]; then return; fi
    if [ -n "$json" ]; then
        note_json "$@"
        succeed "$note"
    fi
    note_text "$@"
    finish 0
}

# About 80 kB in one document, which is more than a pipe holds.
run_dump() {
    text='0123456789abcdef'
    while [ ${#text} -lt 16384 ]; do text=$text$text; done
    id=0 items=''
    while [ $id -lt 5 ]; do
        id=$((id + 1))
        if [ -n "$json" ]; then
            items="$items${items:+,}{\"id\":$id,\"tag\":\"dump\",\"text\":\"$text\"}"
        else
            note_text "$id" dump "$text"
        fi
    done
    if [ -n "$json" ]; then succeed "{\"items\":[$items],\"total\":5}"; fi
    finish 0
}

run_config_show() { settings; }

# settings [MEMBERS]: how it is set up, and what else there is to say.
settings() {
    if [ -n "$json" ]; then succeed "{\"limit\":20,\"colour\":\"never\"${1-}}"; fi
    printf 'limit   20\ncolour  never\n'
    finish 0
}

# Runs until it is interrupted.
run_watch() {
    say 'Watching. Ctrl-C ends it.'
    while :; do
        sleep 60 >/dev/null 2>&1 &
        sleeper=$!
        wait "$sleeper"
    done
}

run_add() {
    if [ -z "${HOME-}" ]; then fail 4 PRECONDITION 'HOME is not set, so there is no place for notes'; fi
    case $1 in *[!\ -~]*) fail_usage 'TEXT has characters that are no printable ASCII' ;; esac
    each_note last_id
    id=$((id + 1))
    printf '%s\tadded\t%s\n' "$id" "$1" >>"$HOME/.notes"
    if [ -n "$json" ]; then
        note_json "$id" added "$1"
        succeed "$note"
    fi
    note_text "$id" added "$1"
    finish 0
}

last_id() { id=$1; }

run_remove() {
    wanted=$1 removed='' kept=''
    each_note remove_one
    if [ -z "$removed" ]; then fail_missing "$wanted"; fi
    printf '%s' "$kept" >"$HOME/.notes"
    if [ -n "$json" ]; then succeed "{\"id\":$wanted}"; fi
    finish 0
}
remove_one() {
    if [ "$1" -le 3 ]; then return; fi
    if [ "$1" = "$wanted" ]; then removed=yes; else kept="$kept$1	$2	$3
"; fi
}

# --- what it says about itself -----------------------------------------------------------------

run_version() {
    if [ -n "$json" ]; then succeed "{\"name\":\"notes\",\"version\":\"$version\"}"; fi
    printf 'notes %s\n' "$version"
    finish 0
}

# lines LINE…: help, as text or as an answer.
lines() {
    if [ -z "$json" ]; then
        printf '%s\n' "$@"
        finish 0
    fi
    text=''
    for line; do
        quote "$line"
        line=${quoted#?}
        text="$text${line%?}\\n"
    done
    succeed "{\"help\":\"$text\"}"
}

# help_page ABOUT USAGE LINE…: a page with the options that every command has.
help_page() {
    about=$1 usage=$2
    shift 2
    lines "$about" '' "Usage: notes $usage" '' "$@" \
        '      --json     Answer in JSON' \
        '  -q, --quiet    Say nothing on standard error' \
        '  -h, --help     Print help' \
        '  -V, --version  Print version'
}

help_root() {
    help_page 'Keeps notes' '[OPTIONS] <COMMAND>' \
        'Commands:' \
        '  list      List the notes' \
        '  show      Show a note' \
        '  search    Find the notes that have a word' \
        "  dump      $dump_about" \
        '  config    See how it is set up' \
        '  watch     Wait for changes until interrupted' \
        '  add       Write a note' \
        '  remove    Delete a note' \
        '  manifest  Describe every command' '' \
        'Options:'
}
help_list() {
    help_page 'List the notes' 'list [OPTIONS]' 'Options:' \
        '      --tag <TAG>     Only those with this tag' \
        '      --limit <N>     At most so many, 0 for all [default: 20]' \
        '      --cursor <N>    Go on after so many'
}
help_show() { help_page 'Show a note' 'show [OPTIONS] <ID>' 'Arguments:' '  <ID>  Its number' '' 'Options:'; }
help_search() {
    help_page 'Find the notes that have a word' 'search [OPTIONS] <WORD>' \
        'Arguments:' '  <WORD>  What to look for' '' 'Options:'
}
help_dump() { help_page "$dump_about" 'dump [OPTIONS]' 'Options:'; }
help_config() {
    help_page 'See how it is set up' 'config [OPTIONS] <COMMAND>' \
        'Commands:' '  show  Print the settings' '' 'Options:'
}
help_config_show() { help_page 'Print the settings' 'config show [OPTIONS]' 'Options:'; }
help_watch() { help_page 'Wait for changes until interrupted' 'watch [OPTIONS]' 'Options:'; }
help_add() { help_page 'Write a note' 'add [OPTIONS] <TEXT>' 'Arguments:' '  <TEXT>  What it says' '' 'Options:'; }
help_remove() { help_page 'Delete a note' 'remove [OPTIONS] <ID>' 'Arguments:' '  <ID>  Its number' '' 'Options:'; }
help_manifest() { help_page 'Describe every command' 'manifest [OPTIONS]' 'Options:'; }

# exit_code STATUS NAME CODES: one entry of an `exit_codes`.
exit_code() { exits="$exits${exits:+,}\"$1\":{\"name\":\"$2\",\"retryable\":false,\"codes\":[$3]}"; }

# entry PATH ABOUT DANGER POSITIONAL FLAGS EXITS SCHEMA: one command of the manifest.
entry() {
    positionals=''
    if [ -n "$4" ]; then positionals="{\"name\":\"$4\",\"value_name\":\"$4\",\"type\":\"string\",\"required\":true}"; fi
    exits=''
    exit_code 0 SUCCESS ''
    exit_code 3 ARG_ERROR '"ARG_ERROR"'
    exit_code 130 CANCELLED '"CANCELLED"'
    exit_code 143 CANCELLED '"CANCELLED"'
    for wanted in $6; do
        case $wanted in
        4) exit_code 4 PRECONDITION '"PRECONDITION"' ;;
        5) exit_code 5 NOT_FOUND '"NOT_FOUND"' ;;
        esac
    done
    commands="$commands${commands:+,}\"$1\":{\"description\":\"$2\",\"danger_level\":\"$3\",\"json\":true,\"positionals\":[$positionals],\"flags\":[$5],\"exit_codes\":{$exits},\"output_schema\":$7${example:+,\"examples\":[\"notes $example\"]}}"
    example=''
}

note_schema='{"type":"object","required":["id","tag","text"],"properties":{"id":{"type":"integer"},"tag":{"type":"string"},"text":{"type":"string"}},"additionalProperties":false}'
page_schema="{\"type\":\"object\",\"required\":[\"items\",\"total\"],\"properties\":{\"items\":{\"type\":\"array\",\"items\":$note_schema},\"total\":{\"type\":\"integer\"}},\"additionalProperties\":false}"
dump_schema=$page_schema
config_schema='{"type":"object","required":["limit","colour"],"properties":{"limit":{"type":"integer"},"colour":{"type":"string"}}}'
list_flags='{"name":"tag","long":"tag","value_name":"TAG","type":"string","required":false},{"name":"limit","long":"limit","value_name":"N","type":"integer","required":false},{"name":"cursor","long":"cursor","value_name":"N","type":"integer","required":false}'

entries() {
    commands='' example=''
    entry add 'Write a note' mutating text '' 4 "$note_schema"
    entry config 'See how it is set up' safe '' '' '' '{}'
    entry config.show 'Print the settings' safe '' '' '' "$config_schema"
    entry dump "$dump_about" safe '' '' '' "$dump_schema"
    entry list 'List the notes' safe '' "$list_flags" '' "$page_schema"
    entry manifest 'Describe every command' safe '' '' '' '{"type":"object"}'
    entry remove 'Delete a note' destructive id '' 5 '{"type":"object","required":["id"]}'
    example='search bread'
    entry search 'Find the notes that have a word' safe word '' '' "$page_schema"
    example='show 1'
    entry show 'Show a note' safe id '' 5 "$note_schema"
    entry watch 'Wait for changes until interrupted' safe '' '' '' '{}'
}

# The manifest is always JSON.
run_manifest() {
    json=yes
    entries
    flags='{"name":"json","long":"json","type":"boolean","required":false},{"name":"quiet","long":"quiet","short":"q","type":"boolean","required":false},{"name":"help","long":"help","short":"h","type":"boolean","required":false},{"name":"version","long":"version","short":"V","type":"boolean","required":false}'
    succeed "{\"schema_version\":\"1.0\",\"tool\":{\"name\":\"notes\",\"version\":\"$version\"},\"dialect\":\"response-envelope/1.0\",\"global_flags\":[$flags],\"commands\":{$commands}}"
}

# --- arguments ---------------------------------------------------------------------------------

# usage_error MESSAGE: all of them are reported at once.
usage_error() {
    errors="$errors${errors:+; }$1"
    error_count=$((error_count + 1))
}

unknown_flag() { usage_error "unknown flag '$1'"; }
unknown_command() { usage_error "unknown command '$1'"; }
unexpected() { usage_error "unexpected argument '$1'"; }
missing() { usage_error "$1 is missing"; }
invalid() { usage_error "'$2' is no value for $1: a number is needed"; }

# number FLAG VALUE: sets `value`.
number() {
    case $2 in
    '' | *[!0-9]* | ??????????*) invalid "$1" "$2" ;;
    *) value=$2 ;;
    esac
}

# Words that begin with a dash are flags wherever they stand; the others are kept in their order.
parse() {
    word_1='' word_2='' word_3='' words=0 has_tag='' has_limit='' has_cursor='' only_words=''
    while [ $# -gt 0 ]; do
        if [ -n "$only_words" ]; then
            parse_word "$1"
            shift
            continue
        fi
        case $1 in
        --) only_words=yes ;;
        --json) json=yes ;;
        -q | --quiet) quiet=yes ;;
        -h | --help) help=yes ;;
        -V | --version) command_version=yes ;;
        --tag=* | --limit=* | --cursor=*) parse_value "${1%%=*}" "${1#*=}" ;;
        --tag | --limit | --cursor)
            if [ $# -lt 2 ]; then missing "the value of $1"; else
                parse_value "$1" "$2"
                shift
            fi
            ;;
        -?*) unknown_flag "$1" ;;
        *) parse_word "$1" ;;
        esac
        shift
    done
}

parse_word() {
    words=$((words + 1))
    case $words in
    1) word_1=$1 ;;
    2) word_2=$1 ;;
    3) word_3=$1 ;;
    *) unexpected "$1" ;;
    esac
}

parse_value() {
    case $1 in
    --tag) tag=$2 has_tag=yes ;;
    --limit)
        value=20 has_limit=yes
        number "$@"
        limit=$value
        ;;
    --cursor)
        value=0 has_cursor=yes
        number "$@"
        cursor=$value
        ;;
    esac
}

# The command that the words name, and what is left for it.
choose() {
    command='' argument='' needs='' has_argument=''
    case $word_1 in
    '') ;;
    list | dump | watch | manifest) command=$word_1 left=$((words - 1)) left_word=$word_2 ;;
    show | remove) command=$word_1 needs=ID left=$((words - 1)) left_word=$word_2 ;;
    search) command=search needs=WORD left=$((words - 1)) left_word=$word_2 ;;
    add) command=add needs=TEXT left=$((words - 1)) left_word=$word_2 ;;
    config)
        case $word_2 in
        show) command=config_show left=$((words - 2)) left_word=$word_3 ;;
        '') command=config left=0 ;;
        *) unknown_command "config $word_2" ;;
        esac
        ;;
    *) unknown_command "$word_1" ;;
    esac
    if [ -z "$command" ]; then return; fi
    if [ -n "$needs" ] && [ "$left" -gt 0 ]; then
        argument=$left_word has_argument=yes left=$((left - 1)) left_word=$word_3
    fi
    if [ "$left" -gt 0 ]; then unexpected "$left_word"; fi
    if [ "$command" != list ]; then
        if [ -n "$has_tag" ]; then unknown_flag --tag; fi
        if [ -n "$has_limit" ]; then unknown_flag --limit; fi
        if [ -n "$has_cursor" ]; then unknown_flag --cursor; fi
    fi
}

refuse() { if [ "$error_count" -gt 0 ]; then fail_usage "$errors"; fi; }

main() {
    watch_signals
    command_version=''
    parse "$@"
    choose
    if [ -n "$help" ] && [ "$error_count" = 0 ]; then "help_${command:-root}"; fi
    if [ -n "$command_version" ] && [ "$error_count" = 0 ]; then run_version; fi
    if [ "$words" = 0 ]; then missing 'a command'; fi
    if [ "$command" = config ]; then missing 'a command of config'; fi
    if [ -n "$needs" ] && [ -z "$has_argument" ]; then missing "$needs"; fi
    refuse
    "run_$command" "$argument"
}

if [ "${0##*/}" != right.sh ]; then otherwise; fi
main "$@"
