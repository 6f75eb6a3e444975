/** Shells that can be served. Each script asks the program itself what may follow. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type ShellName = (typeof shells)[number];

const bash = `# cutover completion for bash; load it with: source <(cutover completion bash)
_cutover() {
  local IFS=$'\\n'
  COMPREPLY=($(cutover completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _cutover cutover
`;

const zsh = `#compdef cutover
# cutover completion for zsh; load it with: source <(cutover completion zsh)
_cutover() {
  local -a found
  found=("\${(@f)$(cutover completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found
}
compdef _cutover cutover
`;

const fish = `# cutover completion for fish; load it with: cutover completion fish | source
function __cutover_words
  set -l typed (commandline -opc) (commandline -ct)
  cutover completion words -- $typed[2..-1] 2>/dev/null
end
complete -c cutover -f -a '(__cutover_words)'
`;

export function completionScript(shell: ShellName): string {
  return { bash, zsh, fish }[shell];
}
