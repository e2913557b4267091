#!/bin/sh
# Right: a token can be given in a variable too.

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
}

. "${0%/*}/right.sh"
