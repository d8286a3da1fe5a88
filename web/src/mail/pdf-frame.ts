/** Runs in the frame that shows a PDF, which has an opaque origin: draws the pages in and near the viewport. */
import { getDocument, type PDFDocumentProxy } from 'unpdf/pdfjs'

const mostPages = 200
/** The longest side of a page in pixels, because a PDF may request any size. */
const mostPixels = 3000

addEventListener('message', ({ source, data }) => {
  if (source === parent && data instanceof ArrayBuffer) void show(data).catch(() => tell('failed'))
})
tell('ready')

function tell(what: 'ready' | 'failed'): void {
  parent.postMessage(what, '*')
}

async function show(content: ArrayBuffer): Promise<void> {
  const pdf = await getDocument({
    data: new Uint8Array(content),
    enableXfa: false,
    stopAtErrors: false,
    useSystemFonts: true,
    verbosity: 0,
  }).promise
  const inSight = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes)
        if (isIntersecting) void draw(pdf, target as HTMLCanvasElement)
        else clear(target as HTMLCanvasElement)
    },
    { rootMargin: '100%' },
  )
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
  for (let number = 1; number <= Math.min(pdf.numPages, mostPages); number++) {
    const canvas = document.createElement('canvas')
    canvas.dataset['page'] = String(number)
    canvas.setAttribute('role', 'img')
    canvas.setAttribute('aria-label', `${number} / ${pdf.numPages}`)
    canvas.style.aspectRatio = `${width} / ${height}`
    document.body.append(canvas)
    inSight.observe(canvas)
  }
}

async function draw(pdf: PDFDocumentProxy, canvas: HTMLCanvasElement): Promise<void> {
  const page = await pdf.getPage(Number(canvas.dataset['page']))
  const { width, height } = page.getViewport({ scale: 1 })
  const wanted = (canvas.clientWidth * devicePixelRatio) / width
  const viewport = page.getViewport({ scale: Math.min(wanted, mostPixels / Math.max(width, height)) })
  canvas.style.aspectRatio = `${width} / ${height}`
  canvas.width = Math.ceil(viewport.width)
  canvas.height = Math.ceil(viewport.height)
  await page.render({ canvas, viewport }).promise
  canvas.dataset['drawn'] = ''
}

/** Frees its memory. */
function clear(canvas: HTMLCanvasElement): void {
  delete canvas.dataset['drawn']
  canvas.width = canvas.height = 0
}
