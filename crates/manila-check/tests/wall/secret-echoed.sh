#!/bin/sh
# The flaw: errors quote the call, and the token with it.

token='' is_next=''
for word; do
    shift
    if [ -n "$is_next" ]; then
        token=$word is_next=''
    elif [ "$word" = --token ]; then
        is_next=yes
    else
        set -- "$@" "$word"
    fi
done

otherwise() {
    help_dump() {
        help_page 'Print everything there is' 'dump [OPTIONS]' 'Options:' \
            '      --token <TOKEN>  Whose notes [env: NOTES_TOKEN]'
    }
    fail_usage() { fail 3 ARG_ERROR "$1${token:+ (called with --token $token)}" ',"phase":"validation"'; }
}

. "${0%/*}/right.sh"
