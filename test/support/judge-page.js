/* Runs inside the browser: finds the words of documents in frames, hides letters, compares pictures. */

async function findWords(input) {
  const ignorable = /[\p{Default_Ignorable_Code_Point}]/gu
  const found = []
  const frames = []
  for (const html of input.documents) {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const inner = frame.contentDocument
    inner.open()
    inner.write(html)
    inner.close()
    frames.push(frame)
  }
  await new Promise((resolve) => setTimeout(resolve, 60))
  // What stands in place of an image that cannot be had moves what is below it.
  const images = frames.flatMap((frame) => [...frame.contentDocument.images])
  while (!images.every((image) => image.complete)) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const frame of frames) {
    const height = frame.contentDocument.documentElement.scrollHeight
    if (height > 220) frame.style.height = `${Math.min(height, 6000)}px`
  }
  const ranges = []
  for (const [index, frame] of frames.entries()) {
    const inner = frame.contentDocument
    const view = frame.contentWindow
    const own = []
    ranges.push(own)
    const walker = inner.createTreeWalker(inner, 4)
    const outer = frame.getBoundingClientRect()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const style = view.getComputedStyle(parent)
      const nodeIndex = own.length
      const whole = inner.createRange()
      whole.selectNodeContents(node)
      own.push(whole)
      for (const match of node.data.matchAll(/[^\s]+/g)) {
        const range = inner.createRange()
        range.setStart(node, match.index)
        range.setEnd(node, match.index + match[0].length)
        let verdict = null
        const rects = [...range.getClientRects()]
        if (rects.length === 0) verdict = false
        // Fields are drawn by the browser out of reach of a highlight.
        if (parent.closest('select,textarea')) continue
        // Dots in place of letters other text of that length looks the same.
        if (style.webkitTextSecurity !== 'none') verdict = false
        let scale = 1
        for (let at = parent; at; at = at.parentElement) {
          const box = at.getBoundingClientRect()
          if (at.offsetWidth > 0 && box.width > 0)
            scale = Math.min(scale, box.width / at.offsetWidth, box.height / at.offsetHeight)
        }
        if (Number.parseFloat(style.fontSize) * Math.max(0, scale) <= input.unreadable) verdict = false
        // Letters cut out of a background stay cut out, whatever their colour.
        for (let at = parent; at; at = at.parentElement)
          if (verdict === null && view.getComputedStyle(at).backgroundClip === 'text') verdict = true
        const boxes = rects.map((rect) => [
          Math.max(rect.left, 0),
          rect.top + outer.top + window.scrollY,
          rect.right - Math.max(rect.left, 0),
          rect.height,
        ])
        const inside = boxes.filter(
          ([x, y, w, h]) => w > 0 && x < 800 && y + h > outer.top && y < outer.bottom,
        )
        for (const word of match[0].replace(ignorable, '').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
          found.push({ frame: index, node: nodeIndex, word, verdict, boxes: inside })
        }
      }
    }
  }
  // Lines under and through letters stay out of it: letters leave notches in them.
  for (const frame of frames) {
    const sheet = new frame.contentWindow.CSSStyleSheet()
    sheet.replaceSync('*{text-decoration-line:none!important}')
    frame.contentDocument.adoptedStyleSheets = [sheet]
  }
  window.highlight = (chosen) => {
    for (const [index, frame] of frames.entries()) {
      const view = frame.contentWindow
      const sheet = new view.CSSStyleSheet()
      sheet.replaceSync(
        '*{text-decoration-line:none!important}::highlight(judged){color:transparent!important;-webkit-text-fill-color:transparent!important;text-shadow:none!important;-webkit-text-stroke-color:transparent!important;fill:transparent!important;stroke:transparent!important}',
      )
      frame.contentDocument.adoptedStyleSheets = [sheet]
      // Highlights do not reach into drawings.
      for (const [node, range] of (ranges[index] ?? []).entries()) {
        const holder = range.startContainer.parentElement
        if (!holder?.namespaceURI?.endsWith('/svg') || !holder.style) continue
        if (chosen(index, node)) holder.style.setProperty('fill', 'transparent', 'important')
        else holder.style.removeProperty('fill')
      }
      view.CSS.highlights.set(
        'judged',
        new view.Highlight(...(ranges[index] ?? []).filter((_, node) => chosen(index, node))),
      )
    }
  }
  const areas = frames.map((frame) => ({ x: 0, y: frame.offsetTop, width: 800, height: frame.offsetHeight }))
  return { found, areas }
}

async function comparePictures(input) {
  const load = async (data) => {
    const picture = new window.Image()
    picture.src = `data:image/png;base64,${data}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    const pen = canvas.getContext('2d', { willReadFrequently: true })
    pen.drawImage(picture, 0, 0)
    return pen.getImageData(0, 0, picture.width, picture.height)
  }
  const one = await load(input.one)
  const two = await load(input.two)
  const width = Math.min(one.width, two.width)
  const height = Math.min(one.height, two.height)
  const changed = (x, y) => {
    const at = (y * one.width + x) * 4
    const other = (y * two.width + x) * 4
    for (let channel = 0; channel < 3; channel += 1) {
      if (Math.abs(one.data[at + channel] - two.data[other + channel]) > input.indistinct) return true
    }
    return false
  }
  return input.boxes.map((boxes) =>
    boxes.some(([left = 0, top = 0, w = 0, h = 0]) => {
      for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, top + h); y += 1) {
        for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, left + w); x += 1)
          if (changed(x, y)) return true
      }
      return false
    }),
  )
}

Object.assign(window, { findWords, comparePictures })
