#!/bin/sh
# The flaw: a token can only be given where everybody sees it.

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
            '      --token <TOKEN>  Whose notes'
    }
}

. "${0%/*}/right.sh"
