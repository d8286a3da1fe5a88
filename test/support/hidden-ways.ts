import { corpora, needsCorpora } from './corpora.ts'

/** Mails by name that hide a sentence starting with INJECTMARK or show one with SEENMARK. Empty without corpora. */
export async function hiddenWays(): Promise<{
  ways: Record<string, string>
  visible: Record<string, string>
}> {
  if ('skip' in needsCorpora) return { ways: {}, visible: {} }
  const { ways } = (await import(corpora('hidden-ways', 'ways.mjs'))) as { ways: Record<string, string> }
  const { visible } = (await import(corpora('hidden-ways', 'visible.mjs'))) as {
    visible: Record<string, string>
  }
  return { ways, visible }
}
