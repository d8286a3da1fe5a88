/** Follows the pictures of a PDF's page. */

import type { Objects } from './letters.ts'
import type { Pixels } from './paper.ts'
import { boundsOf, combine, quad, type Matrix } from './shape.ts'
import { paintOf, type Easel } from './state.ts'

export class Pictures {
  /** Cells that pictures cover. */
  covered = 0
  readonly #easel: Easel

  constructor(easel: Easel) {
    this.#easel = easel
  }

  isPicture(operator: number): boolean {
    return (
      operator >= this.#easel.ops.paintImageMaskXObject &&
      operator <= this.#easel.ops.paintSolidColorImageMask
    )
  }

  async step(operator: number, args: unknown[]): Promise<void> {
    const OPS = this.#easel.ops
    const { ctm } = this.#easel.state
    switch (operator) {
      case OPS.paintImageXObject:
        return this.#picture(await this.#find(args[0]), ctm)
      case OPS.paintInlineImageXObject:
      case OPS.paintImageMaskXObject: {
        const image = args[0] as Image
        const found = typeof image.data === 'string' ? await this.#find(image.data) : image
        return this.#picture(found, ctm, operator === OPS.paintImageMaskXObject)
      }
      case OPS.paintSolidColorImageMask:
        if (this.#easel.isPainted)
          this.#easel.paper.fillShape(
            [quad(ctm, 0, 0, 1, 1)],
            false,
            paintOf(this.#easel.state, 'fill'),
            this.#easel.state.clip,
          )
        return
      case OPS.paintImageXObjectRepeat:
      case OPS.paintImageMaskXObjectRepeat: {
        const isMask = operator === OPS.paintImageMaskXObjectRepeat
        const image = isMask ? (args[0] as Image).data : args[0]
        const found = typeof image === 'string' ? await this.#find(image) : (args[0] as Image)
        const [a, b, c, d] = (isMask ? args.slice(1, 5) : [args[1], 0, 0, args[2]]) as number[]
        const places = args[isMask ? 5 : 3] as ArrayLike<number>
        for (let at = 0; at + 1 < places.length; at += 2)
          this.#picture(found, combine(ctm, [a!, b!, c!, d!, places[at]!, places[at + 1]!]), isMask)
        return
      }
      case OPS.paintImageMaskXObjectGroup:
        for (const image of args[0] as (Image & { transform: number[] })[]) {
          const found = typeof image.data === 'string' ? await this.#find(image.data) : image
          this.#picture(found, combine(ctm, image.transform), true)
        }
        return
      case OPS.paintInlineImageXObjectGroup:
        for (const { transform } of args[1] as { transform: number[] }[])
          this.#picture(null, combine(ctm, transform))
    }
  }

  #find(id: unknown): Promise<Image | null> {
    const name = String(id)
    const objects = (name.startsWith('g_') ? this.#easel.page.commonObjs : this.#easel.page.objs) as Objects
    return new Promise((resolve) => objects.get(name, (found) => resolve(found as Image | null)))
  }

  #picture(image: Image | null, matrix: Matrix, isMask = false): void {
    if (!this.#easel.isPainted) return
    const { clip } = this.#easel.state
    const square = quad(matrix, 0, 0, 1, 1)
    const { left, top, right, bottom } = boundsOf([square])
    this.covered +=
      Math.max(0, Math.min(right, clip.right) - Math.max(left, clip.left)) *
      Math.max(0, Math.min(bottom, clip.bottom) - Math.max(top, clip.top))
    const paint = paintOf(this.#easel.state, 'fill')
    const pixels = image && readPixels(image, isMask)
    if (pixels) this.#easel.paper.place(pixels, matrix, paint, clip)
    else this.#easel.paper.fillShape([square], false, { ...paint, color: null }, clip)
  }
}

interface Image {
  width: number
  height: number
  kind?: number
  data: unknown
}

function readPixels({ width, height, kind, data }: Image, isMask: boolean): Pixels | null {
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return null
  const known = isMask ? 'bits' : kind === 3 ? 'rgba' : kind === 2 ? 'rgb' : null
  return known && { width, height, data, kind: known }
}
