/** Browser and operating system, from the User-Agent; null if it names neither. */
export function deviceName(said: string | null): string | null {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(said ?? '')?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(said ?? '')?.[1]
  return [browser?.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(', ') || null
}
