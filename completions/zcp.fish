# fish completion for zcp, made from its command line

# The command is the first word, wherever its name appears again.
function __zcp_in
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

function __zcp_at_command
    test (count (commandline -opc)) -eq 1
end

complete -c zcp -n __zcp_at_command -f
complete -c zcp -n __zcp_at_command -a copy -d 'copy files on this machine'
complete -c zcp -n __zcp_at_command -a send -d 'send files to a receiver'
complete -c zcp -n __zcp_at_command -a receive -d 'receive files from senders'
complete -c zcp -n __zcp_at_command -a strategies -d 'show the ways of moving bytes, and what each costs'
complete -c zcp -n __zcp_at_command -a completion -d 'print the completion script of a shell'
complete -c zcp -n __zcp_at_command -a help -d 'print the help of a command'
complete -c zcp -n __zcp_at_command -l debug -d 'Print the stack trace of whatever ends the command'
complete -c zcp -n __zcp_at_command -s h -l help -d 'Print this help and exit'
complete -c zcp -n __zcp_at_command -s V -l version -d 'Print the version and exit'
complete -c zcp -n '__zcp_in help' -f -a 'copy send receive strategies completion'
complete -c zcp -n '__zcp_in copy' -F
complete -c zcp -n '__zcp_in copy' -s f -l force -d 'Replace a target that exists'
complete -c zcp -n '__zcp_in copy' -s n -l no-clobber -d 'Leave a target that exists as it is'
complete -c zcp -n '__zcp_in copy' -l strategy -x -a 'auto copyFileRange direct heap mmap reflink splice stream transferTo' -d 'Move the bytes by this strategy and no other; see \'zcp strategies\''
complete -c zcp -n '__zcp_in copy' -l strategy-path -r -F -d 'Look for strategies in JAR, too'
complete -c zcp -n '__zcp_in copy' -l chunk-size -x -d 'Move at most SIZE bytes in one step, such as 64K, 1M or 2G; \'whole\' asks for the file in one'
complete -c zcp -n '__zcp_in copy' -l histogram -r -F -d 'Write the latencies to FILE, in the log format of HdrHistogram'
complete -c zcp -n '__zcp_in copy' -l json -d 'Write events to standard output, one JSON object a line, the result last'
complete -c zcp -n '__zcp_in copy' -l progress -x -a 'auto always never' -d 'Show progress: auto is on a terminal only'
complete -c zcp -n '__zcp_in copy' -s q -l quiet -d 'Print neither progress nor summary, only what goes wrong'
complete -c zcp -n '__zcp_in copy' -s v -l verbose -d 'Name every file'
complete -c zcp -n '__zcp_in copy' -l debug -d 'Print the stack trace of whatever ends the command'
complete -c zcp -n '__zcp_in copy' -s h -l help -d 'Print this help and exit'
complete -c zcp -n '__zcp_in copy' -s V -l version -d 'Print the version and exit'
complete -c zcp -n '__zcp_in send' -F
complete -c zcp -n '__zcp_in send' -l connect-timeout -x -d 'Wait TIME at most for the connection, such as 500ms, 3s or 2m'
complete -c zcp -n '__zcp_in send' -l key-file -r -F -d 'Read the key that both ends share from FILE, which nobody else may read'
complete -c zcp -n '__zcp_in send' -l plain -d 'Allow a connection off this machine that is authenticated but not encrypted'
complete -c zcp -n '__zcp_in send' -l stall-timeout -x -d 'Give up a peer that makes no progress for TIME'
complete -c zcp -n '__zcp_in send' -l socket-buffer -x -d 'Ask the kernel for a socket buffer of SIZE, which ends its own tuning of it; without this option the kernel tunes it'
complete -c zcp -n '__zcp_in send' -l strategy -x -a 'auto copyFileRange direct heap mmap reflink splice stream transferTo' -d 'Move the bytes by this strategy and no other; see \'zcp strategies\''
complete -c zcp -n '__zcp_in send' -l strategy-path -r -F -d 'Look for strategies in JAR, too'
complete -c zcp -n '__zcp_in send' -l chunk-size -x -d 'Move at most SIZE bytes in one step, such as 64K, 1M or 2G; \'whole\' asks for the file in one'
complete -c zcp -n '__zcp_in send' -l histogram -r -F -d 'Write the latencies to FILE, in the log format of HdrHistogram'
complete -c zcp -n '__zcp_in send' -l json -d 'Write events to standard output, one JSON object a line, the result last'
complete -c zcp -n '__zcp_in send' -l progress -x -a 'auto always never' -d 'Show progress: auto is on a terminal only'
complete -c zcp -n '__zcp_in send' -s q -l quiet -d 'Print neither progress nor summary, only what goes wrong'
complete -c zcp -n '__zcp_in send' -s v -l verbose -d 'Name every file'
complete -c zcp -n '__zcp_in send' -l debug -d 'Print the stack trace of whatever ends the command'
complete -c zcp -n '__zcp_in send' -s h -l help -d 'Print this help and exit'
complete -c zcp -n '__zcp_in send' -s V -l version -d 'Print the version and exit'
complete -c zcp -n '__zcp_in receive' -f -a '(__fish_complete_directories)'
complete -c zcp -n '__zcp_in receive' -l listen -x -d 'Listen there; port 0 takes a free one'
complete -c zcp -n '__zcp_in receive' -l once -d 'End after one transfer, with its exit code'
complete -c zcp -n '__zcp_in receive' -l overwrite -d 'Replace files that exist; without it they are refused'
complete -c zcp -n '__zcp_in receive' -l discard -d 'Take and verify files as always, and throw each away where it would get its name: to try a link'
complete -c zcp -n '__zcp_in receive' -l key-file -r -F -d 'Read the key that both ends share from FILE, which nobody else may read'
complete -c zcp -n '__zcp_in receive' -l plain -d 'Allow a connection off this machine that is authenticated but not encrypted'
complete -c zcp -n '__zcp_in receive' -l stall-timeout -x -d 'Give up a peer that makes no progress for TIME'
complete -c zcp -n '__zcp_in receive' -l socket-buffer -x -d 'Ask the kernel for a socket buffer of SIZE, which ends its own tuning of it; without this option the kernel tunes it'
complete -c zcp -n '__zcp_in receive' -l strategy -x -a 'auto copyFileRange direct heap mmap reflink splice stream transferTo' -d 'Move the bytes by this strategy and no other; see \'zcp strategies\''
complete -c zcp -n '__zcp_in receive' -l strategy-path -r -F -d 'Look for strategies in JAR, too'
complete -c zcp -n '__zcp_in receive' -l chunk-size -x -d 'Move at most SIZE bytes in one step, such as 64K, 1M or 2G; \'whole\' asks for the file in one'
complete -c zcp -n '__zcp_in receive' -l histogram -r -F -d 'Write the latencies to FILE, in the log format of HdrHistogram'
complete -c zcp -n '__zcp_in receive' -l json -d 'Write events to standard output, one JSON object a line, the result last'
complete -c zcp -n '__zcp_in receive' -l progress -x -a 'auto always never' -d 'Show progress: auto is on a terminal only'
complete -c zcp -n '__zcp_in receive' -s q -l quiet -d 'Print neither progress nor summary, only what goes wrong'
complete -c zcp -n '__zcp_in receive' -s v -l verbose -d 'Name every file'
complete -c zcp -n '__zcp_in receive' -l debug -d 'Print the stack trace of whatever ends the command'
complete -c zcp -n '__zcp_in receive' -s h -l help -d 'Print this help and exit'
complete -c zcp -n '__zcp_in receive' -s V -l version -d 'Print the version and exit'
complete -c zcp -n '__zcp_in strategies' -F
complete -c zcp -n '__zcp_in strategies' -l strategy-path -r -F -d 'Look for strategies in JAR, too'
complete -c zcp -n '__zcp_in strategies' -l debug -d 'Print the stack trace of whatever ends the command'
complete -c zcp -n '__zcp_in strategies' -s h -l help -d 'Print this help and exit'
complete -c zcp -n '__zcp_in strategies' -s V -l version -d 'Print the version and exit'
complete -c zcp -n '__zcp_in completion' -f -a 'bash zsh fish'
complete -c zcp -n '__zcp_in completion' -l debug -d 'Print the stack trace of whatever ends the command'
complete -c zcp -n '__zcp_in completion' -s h -l help -d 'Print this help and exit'
complete -c zcp -n '__zcp_in completion' -s V -l version -d 'Print the version and exit'
