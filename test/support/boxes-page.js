/* Runs inside the browser: measures documents in frames by the boxes of their elements and words. */

async function measureFrames({ documents, width }) {
  const frames = documents.map((html) => {
    const frame = document.createElement('iframe')
    frame.srcdoc = html
    frame.style.cssText = `display:block;border:0;width:${width}px;height:400px`
    return frame
  })
  const loaded = frames.map((frame) => new Promise((done) => frame.addEventListener('load', done)))
  document.body.replaceChildren(...frames)
  await Promise.all(loaded)
  return frames.map((frame) => measureFrame(frame.contentDocument, width))
}

function measureFrame(inner, width) {
  const wide = []
  const sizes = {}
  const look = (box, what) => {
    if (box.width > 0 && (box.left < -0.5 || box.right > width + 0.5))
      wide.push(`${what().slice(0, 100)}: ${Math.round(box.left)} to ${Math.round(box.right)}`)
  }
  for (const element of inner.body.querySelectorAll('*'))
    look(element.getBoundingClientRect(), () => element.outerHTML)
  const walker = inner.createTreeWalker(inner.body, 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = inner.createRange()
    range.selectNodeContents(node)
    const { data } = node
    for (const box of range.getClientRects()) look(box, () => data)
    const size = Number.parseFloat(window.getComputedStyle(node.parentElement).fontSize)
    for (const [word] of data.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu))
      sizes[word] = Math.min(sizes[word] ?? size, size)
  }
  return { wide, sizes }
}

Object.assign(window, { measureFrames })
