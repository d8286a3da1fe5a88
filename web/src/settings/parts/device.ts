/** Browser and operating system, from the User-Agent; null if it names neither. */
export function deviceName(said: string | null): string | null {
  const find = (words: RegExp): string | undefined => words.exec(said ?? '')?.[0]
  // Edge and Opera also name Chrome, and Android names Linux first.
  const browser = find(/Edg|OPR/) ?? find(/(Firefox|Chrome|Safari)(?=\/)/)
  const system = find(/Windows|Android|iPhone|iPad|Mac OS X/) ?? find(/Linux/)
  return [browser?.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(', ') || null
}
