# Prints what the completion of each line in $LINES_TO_COMPLETE offers, between a line with it and an empty one.
source ./script
while IFS= read -r line; do
    read -ra COMP_WORDS <<< "$line"
    COMP_LINE=$line COMP_POINT=${#line} COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    entry=$(complete -p manila)
    function=${entry##*-F }
    "${function%% *}" manila "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    # What bash does itself with the options that the function is registered with.
    if ((${#COMPREPLY[@]} == 0)) && [[ $entry == *"-o default"* ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
    fi
    printf '> %s\n' "$line" "${COMPREPLY[@]}"
done <<< "$LINES_TO_COMPLETE"
