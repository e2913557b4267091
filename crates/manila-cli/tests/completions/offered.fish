# Prints each line in $LINES_TO_COMPLETE and what its completion offers.
source ./script
for line in (string split \n -- $LINES_TO_COMPLETE)
    printf '> %s\n' $line (complete -C $line | string split -f 1 \t)
end
