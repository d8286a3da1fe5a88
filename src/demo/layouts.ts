import { escapeHtml, type Body } from './quoting.ts'
import { received, type DemoMessage, type Extras } from './thread.ts'

/** Automatic mail: newsletters, receipts and notices, in the table-heavy HTML that is typical of it. */

export type Block =
  | string
  | { button: string; link: string }
  | { rows: [string, string][] }
  | { picture: string; alt: string }
  | { small: string }

export interface Layout {
  brand: string
  colour: string
  heading: string
  blocks: Block[]
  footer: string
  /** A tracking pixel, which tells the sender who opens the mail; Spool does not load it. */
  tracker?: string
}

export const newsletter = (domain: string) => ({
  'List-Unsubscribe': `<https://${domain}/unsubscribe>`,
  'List-Id': `<news.${domain}>`,
  Precedence: 'bulk',
})
export const machine = { 'Auto-Submitted': 'auto-generated' }

export function laidOut(at: string, layout: Layout, extras: Extras = {}): DemoMessage {
  const { text, html } = layOut(layout)
  return received(at, text, html === null ? extras : { ...extras, html })
}

function layOut(layout: Layout): Body {
  const { brand, colour, heading, blocks, footer, tracker } = layout
  const text = [`${brand}\n\n${heading}`, ...blocks.map(blockToText), `--\n${footer}`]
    .filter(Boolean)
    .join('\n\n')
  const rows = blocks.map(
    (block) => `<tr><td style="padding:6px 28px">${blockToHtml(block, colour)}</td></tr>`,
  )
  const html = `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;background:#f2efe9"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="background:#ffffff;font-family:Georgia,serif;font-size:15px;line-height:1.5;color:#2b2622">
<tr><td style="background:${colour};color:#ffffff;padding:16px 28px;font-size:13px;letter-spacing:1px">${escapeHtml(brand)}</td></tr>
<tr><td style="padding:20px 28px 6px"><h1 style="font-size:22px;margin:0">${escapeHtml(heading)}</h1></td></tr>
${rows.join('\n')}
<tr><td style="padding:18px 28px;font-size:12px;color:#8a8178;border-top:1px solid #e7e1d8">${escapeHtml(footer)}</td></tr>
</table></td></tr></table>${tracker ? `<img src="${tracker}" width="1" height="1" alt="">` : ''}</body></html>`
  return { text, html }
}

function blockToText(block: Block): string {
  if (typeof block === 'string') return block
  if ('button' in block) return `${block.button}: ${block.link}`
  if ('rows' in block) return block.rows.map(([left, right]) => `${left}: ${right}`).join('\n')
  return 'small' in block ? block.small : ''
}

function blockToHtml(block: Block, colour: string): string {
  if (typeof block === 'string')
    return `<p style="margin:0">${escapeHtml(block).replaceAll('\n', '<br>')}</p>`
  if ('button' in block)
    return `<a href="${block.link}" style="display:inline-block;background:${colour};color:#ffffff;padding:10px 18px;text-decoration:none;border-radius:4px">${escapeHtml(block.button)}</a>`
  if ('picture' in block) return `<img src="${block.picture}" alt="${escapeHtml(block.alt)}" width="504">`
  if ('small' in block)
    return `<p style="margin:0;font-size:12px;color:#8a8178">${escapeHtml(block.small)}</p>`
  const cells = block.rows.map(
    ([left, right]) =>
      `<tr><td style="padding:4px 0;border-bottom:1px solid #eee">${escapeHtml(left)}</td><td align="right" style="padding:4px 0;border-bottom:1px solid #eee">${escapeHtml(right)}</td></tr>`,
  )
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${cells.join('')}</table>`
}
