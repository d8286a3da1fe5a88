import { options } from 'preact'

/** What this changes is on the page before the next key comes: who types on after `r` types into the answer. */
export function renderNow(change: () => void): void {
  const { debounceRendering: usual } = options
  options.debounceRendering = (render) => render()
  try {
    change()
  } finally {
    if (usual) options.debounceRendering = usual
    else delete options.debounceRendering
  }
}
