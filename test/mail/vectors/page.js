/* Runs in the browser: shows vectors, does to them what a reader might do, and reports what it finds. */

window.hits = []
window.addEventListener('message', (event) => window.hits.push(event.data))

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Each vector gets a document of its own on the same origin, without any protection. */
window.showApart = async (vectors) => {
  for (const { id, html } of vectors) {
    const frame = document.createElement('iframe')
    frame.dataset.vector = id
    frame.style.position = 'absolute'
    document.body.append(frame)
    const inner = frame.contentDocument
    inner.open()
    inner.write(html)
    inner.close()
  }
  await wait(300)
}

/** All in this document, one after the other: markup that swallows what follows it would be found missing. */
window.showTogether = async (vectors) => {
  document.write(vectors.map(({ id, html }) => `<div data-vector=${id}>${html}</div>`).join(''))
  document.close()
  await wait(300)
}

/** The place of each vector: a frame's document, or a part of this one. Frames led elsewhere are out of reach. */
function places() {
  return [...document.querySelectorAll('[data-vector]')].map((place) => {
    const id = Number(place.dataset.vector)
    try {
      return { id, root: place.localName === 'iframe' ? place.contentDocument : place, place }
    } catch {
      return { id, root: null, place }
    }
  })
}

const always = ['click', 'mouseover', 'mouseenter', 'focus', 'load', 'error', 'toggle']

function pokeElement(element) {
  const view = element.ownerDocument.defaultView
  if (!view) return
  const own = [...element.attributes].filter(({ name }) => /^on/i.test(name)).map(({ name }) => name.slice(2))
  // Following a plain link is the reader's own wish; where it leads is looked at elsewhere.
  const plainLink =
    element.localName === 'a' && element.target === '_blank' && /^https?:/.test(element.protocol)
  for (const type of new Set([...own, ...always])) {
    if (type === 'click' && plainLink) continue
    const event = new view.MouseEvent(type, { bubbles: false, cancelable: true })
    element.dispatchEvent(event)
    if (element.localName === 'body') view.dispatchEvent(new view.Event(type))
  }
  element.focus?.()
  if (element.localName === 'form') element.requestSubmit?.()
}

window.pokeVectors = async () => {
  for (const { root } of places()) {
    for (const element of root ? [...root.querySelectorAll('*')] : []) {
      try {
        pokeElement(element)
      } catch {
        // The element's document went away while it was being poked.
      }
    }
  }
  await wait(300)
}

/** What the browser made of markup that has been cleaned: anything here could do harm. */
window.inspectVectors = (allowed, ids) => {
  const found = places()
  const problems = []
  for (const id of ids) {
    const at = found.find((place) => place.id === id)
    if (at?.place.parentNode !== document.body) problems.push({ id, problem: 'is not where it was put' })
  }
  for (const { id, root } of found) {
    if (!root) problems.push({ id, problem: 'the frame went elsewhere' })
    else for (const problem of inspectTree(root, allowed)) problems.push({ id, problem })
  }
  return problems
}

/** Names that the writer makes; none of the sender's. */
const ownClass = /^(?:spool-form(?:-[0-9a-f]{12})?|spool-fold|m[0-9a-z]+|t\d+)$/

function inspectTree(root, allowed) {
  const inner = root.ownerDocument ?? root
  const problems = []
  for (const element of root.querySelectorAll('*')) {
    const name = element.localName
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') problems.push(`<${name}> is foreign`)
    if (!allowed.elements.includes(name)) problems.push(`<${name}>`)
    for (const { name: key, value } of element.attributes) {
      if (!allowed.attributes.includes(key)) problems.push(`attribute ${key} in <${name}>`)
      if (key === 'href' && !/^(?:https?|mailto|tel):$/.test(element.protocol)) problems.push(`href ${value}`)
      if (key === 'href' && element.rel !== 'noopener noreferrer nofollow')
        problems.push(`rel ${element.rel}`)
      if (key === 'src' && !/^(?:\/api\/v1\/attachments\/|data:image\/(?:png|gif|jpeg|webp);)/.test(value)) {
        problems.push(`src ${value}`)
      }
      if (key === 'class' && !value.split(' ').every((each) => ownClass.test(each)))
        problems.push(`class ${value}`)
    }
    if (inner.defaultView.getComputedStyle(element).position !== 'static')
      problems.push(`<${name}> floats above`)
  }
  for (const sheet of inner.styleSheets) {
    if (!root.contains(sheet.ownerNode)) continue
    for (const rule of sheet.cssRules) {
      if (/url|image-set|import|font-face|\\/i.test(rule.cssText)) problems.push(`rule ${rule.cssText}`)
    }
  }
  return problems
}

/** Whether an element took the place of a name on `window` or `document`. */
window.findClobbered = () =>
  places()
    .filter(({ root }) => {
      const inner = root?.ownerDocument ?? root
      const named = root ? [...root.querySelectorAll('[id],[name]')] : []
      return named.some((element) => {
        const key = element.id || element.getAttribute('name')
        const found = [inner[key], inner.defaultView?.[key]].flatMap((thing) => [
          thing,
          thing?.[0],
          thing?.[1],
        ])
        return (
          !key.startsWith('m-') &&
          found.some((thing) => thing && [element, element.contentWindow].includes(thing))
        )
      })
    })
    .map(({ id }) => id)

/** A reader of cleaned markup may parse and write it again; that must not change what it is. */
window.rewriteVectors = async () => {
  for (const { root } of places()) {
    const holder = root?.body ?? root
    if (!holder) continue
    for (let round = 0; round < 2; round++) {
      const written = holder.innerHTML
      holder.innerHTML = written
    }
  }
  await wait(200)
}
