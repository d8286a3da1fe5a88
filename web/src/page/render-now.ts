import { options } from 'preact'

/** Renders a change before the next key press: after `r`, typing must go into the reply. */
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
