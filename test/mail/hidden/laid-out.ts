/** Ways to lay out text so that something else covers it, or so that it leaves the background that it is judged on. */

const cover = (lines: number) => Array.from({ length: lines }, () => 'see the terms').join('<br>')
const nest = (times: number, open: string, close: string, inner: string) =>
  open.repeat(times) + inner + close.repeat(times)
const beside = 'display:inline-block;vertical-align:top;'
const lid = (lines: number, width = '200px') =>
  `<span style="${beside}background:#fff;width:${width}">${cover(lines)}</span>`

/** `text` is hidden by boxes too narrow for what they contain. */
export function narrowWays(text: string): Record<string, string> {
  const letters = text.replaceAll(' ', '').slice(0, 12)
  const table = `<table cellpadding="0"><tr><td>a${'a'.repeat(12)}<td>${letters}</table>`
  return {
    'padding as wide as its box': `<div><span style="${beside}width:60px;padding-left:60px">${letters}</span>${lid(14)}</div>`,
    'border as wide as its box': `<div><span style="${beside}width:60px;border-left:30px solid #fff;padding-left:40px">${letters}</span>${lid(14)}</div>`,
    'padding wider than a share': `<div style="width:200px"><span style="${beside}width:20%;padding-left:60px">${letters}</span>${lid(14, '60%')}</div>`,
    'table wider than its box': `<div><span style="${beside}width:60px">${table}</span>${lid(2)}</div>`,
    'table wider than its float': `<div style="float:left;width:60px">${table}</div><div style="float:left;width:250px;background:#fff">${cover(2)}</div>`,
    'table wider than a block in a cell': `<table><tr><td><div style="max-width:60px">${table}</div><td>${lid(3)}</table>`,
    'table wider than a share in a cell': `<table><tr><td><div style="width:30%">${table}</div><td>${lid(3)}</table>`,
    'table of wide letters': `<div><span style="${beside}width:60px"><table cellpadding="0"><tr><td>${'W'.repeat(24)}<td>${letters}</table></span>${lid(2)}</div>`,
    'background that is a share of shares': nest(
      9,
      '<div style="width:30%">',
      '</div>',
      `<div style="background:#000;color:#fff">${letters}</div>`,
    ),
  }
}

/** `text` leaves the background of an inline box. */
export function raisedWays(text: string): Record<string, string> {
  const on = (inner: string) => `<p>See <span style="background:#000;color:#fff">${inner}</span> below</p>`
  const up = '<span style="vertical-align:super;font-size:12px">'
  return {
    'raised out of a background': on(nest(8, '<sup>', '</sup>', text)),
    'lowered out of a background': on(nest(8, '<sub>', '</sub>', text)),
    'raised by style': on(nest(8, up, '</span>', text)),
    'raised from a large letter': on(
      `<i style="font-size:60px">I<sup style="font-size:9px">${text}</sup></i>`,
    ),
    'raised from nothing': on(`<i style="font-size:60px"><sup style="font-size:9px">${text}</sup></i>`),
    'raised beyond the depth of boxes': on(nest(160, '<b>', '</b>', nest(8, '<sup>', '</sup>', text))),
  }
}
