/** Text that looks hidden to a careless reader of the source, and is seen all the same. */

import { computedShown } from './computed.ts'

export const shownText = 'the meeting moves to Thursday'

const around = (middle: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body><p>Dear team</p>${middle}<p>Kind regards</p></body></html>`
const styled = (style: string, tag = 'div') => around(`<${tag} style="${style}">${shownText}</${tag}>`)
const sheet = (css: string, middle = `<div class="x" id="y">${shownText}</div>`) =>
  around(middle, `<style>${css}</style>`)

export const shown: Record<string, string> = {
  'display none, then block': styled('display:none;display:block'),
  'important block beats none': styled('display:block!important;display:none'),
  'the style attribute beats the sheet': sheet(
    '.x{display:none}',
    `<div class="x" style="display:block">${shownText}</div>`,
  ),
  'hidden attribute overruled': around(`<div hidden style="display:block">${shownText}</div>`),
  'visible child of a hidden parent': around(
    `<div style="visibility:hidden"><b style="visibility:visible">${shownText}</b></div>`,
  ),
  'aria-hidden': around(`<div aria-hidden="true">${shownText}</div>`),
  noscript: around(`<p>Hello</p>`).replace('Hello', shownText),
  'open details': around(`<details open><summary>More</summary>${shownText}</details>`),
  'summary of closed details': around(`<details><summary>${shownText}</summary></details>`),
  'open dialog': around(`<dialog open style="position:static">${shownText}</dialog>`),
  'size of a span does not count': styled('width:0;height:0;overflow:hidden', 'span'),
  'max-height of a span does not count': styled('max-height:0;overflow:hidden', 'span'),
  'transform of a span does not count': styled('transform:scale(0)', 'span'),
  'content-visibility of a span does not count': styled('content-visibility:hidden', 'span'),
  'height 0 without clipping': styled('height:0'),
  'max-height 0 without clipping': styled('max-height:0'),
  'width 0 without clipping': styled('width:0'),
  'line-height 0 without clipping': styled('line-height:0;margin:20px'),
  'cells grow with their text': around(
    `<table><tr><td style="height:0;width:0;overflow:hidden">${shownText}</td></tr></table>`,
  ),
  'cells have no max-height': around(
    `<table><tr><td style="max-height:0;overflow:hidden">${shownText}</td></tr></table>`,
  ),
  'tables grow with their text': around(
    `<table style="height:0;max-height:0;overflow:hidden"><tr><td>${shownText}</td></tr></table>`,
  ),
  'percentage of no height': styled('height:0%;overflow:hidden'),
  'min-height beats max-height': styled('max-height:0;min-height:20px;overflow:hidden'),
  'padding below the clip': styled('height:0;padding-bottom:30px;overflow:hidden'),
  'positioned out of a clipping parent': around(
    `<div style="height:0;overflow:hidden"><div style="position:absolute">${shownText}</div></div>`,
  ),
  'overflow of the body is the window’s': `<!doctype html><body style="height:0;overflow:hidden"><p>Dear team</p><p>${shownText}</p><p>Kind regards</p></body>`,
  'clip without position': styled('clip:rect(0,0,0,0)'),
  'clip-path of the whole': styled('clip-path:inset(0)'),
  'negative left without position': styled('left:-9999px'),
  'negative margin made good': around(
    `<div style="margin-left:-9999px"><div style="margin-left:9999px">${shownText}</div></div>`,
  ),
  'small negative margin': styled('margin-left:-4px'),
  'text-indent reset inside': around(
    `<div style="text-indent:-9999px"><p style="text-indent:0">${shownText}</p></div>`,
  ),
  'hanging indent': styled('text-indent:-24px;padding-left:24px'),
  'growing flex item of width 0': around(
    `<div style="display:flex"><div style="flex:1;width:0;overflow:hidden">${shownText}</div></div>`,
  ),
  rotated: styled('transform:rotate(180deg)'),
  mirrored: styled('transform:scaleX(-1)'),
  'translated a little': styled('transform:translateX(-3px)'),
  'half opacity': styled('opacity:.5'),
  'opacity over 1': styled('opacity:2'),
  'opacity that is no number': styled('opacity:none'),
  'colour that is no colour': styled('color:whitey'),
  'white on black': styled('background:#000;color:#fff'),
  'light on colours by name': around(
    `<p style="color:#fff"><b style="background:green;color:#9acd32">the</b> <b style="background:teal">meeting</b> <b style="background:purple">moves</b> <b style="background:darkred">to</b> <b style="background:slategray">Thursday</b></p>`,
  ),
  'white on a black table': around(
    `<table bgcolor="#000000"><tr><td><font color="#ffffff">${shownText}</font></td></tr></table>`,
  ),
  'white on a black row': around(
    `<table><tr style="background:#000"><td style="color:#fff">${shownText}</td></tr></table>`,
  ),
  'white on a gradient': styled('background:linear-gradient(#005,#509);color:#fff'),
  'white on a gradient over white': styled('background-image:linear-gradient(to right,#005,#509);color:#fff'),
  'white on a missing picture with a colour': styled(
    "background:#222 url('https://pictures.example/hero.jpg') center/cover no-repeat;color:#fff",
  ),
  'white on a ground of a kind that is not read': styled('background:lab(10% 0 0);color:#fff'),
  'white on a variable of its own': styled('--dark:#000;background:var(--dark);color:#fff'),
  'ink of a kind that is not read, among white': around(
    `<div style="color:#fff"><p style="color:lab(10% 0 0)">${shownText}</p></div>`,
  ),
  'white on an attribute that is no colour': around(
    `<table><tr><td bgcolor="rgb(0,0,0)"><font color="white">${shownText}</font></td></tr></table>`,
  ),
  'white on a cell whose background is nothing': around(
    `<table><tr><td bgcolor="#000000" style="background:;color:#fff">${shownText}</td></tr></table>`,
  ),
  'white on a group of rows': around(
    `<table><tbody style="background:linear-gradient(#000,#111)"><tr style="background:none"><td style="color:#fff">${shownText}</td></tr></tbody></table>`,
  ),
  'a size that is not read in a box of none': around(
    `<div style="font-size:0"><p style="font-size:clamp(12px,2vw,20px)">${shownText}</p></div>`,
  ),
  'for one browser alone': styled('display:none\\9'),
  'a variable of several values': sheet(
    ':root{--b:#fff}.x{--b:#000;background:var(--b)}',
    `<div class="x" style="color:#fff">${shownText}</div>`,
  ),
  'white on the ground of a rule that is not read': sheet(
    'div:only-of-type{background:#000}',
    `<div style="color:#fff">${shownText}</div>`,
  ),
  'no style sheet of the web': around(
    `<style type="text/x-other">.x{display:none}</style><p class="x">${shownText}</p>`,
  ),
  'white with a dark shadow': styled('color:#fff;text-shadow:1px 1px 1px #000'),
  'transparent with an outline': styled('color:transparent;-webkit-text-stroke:1px #000;font-size:30px'),
  'transparent over clipped colours': styled(
    'background:linear-gradient(90deg,#f00,#00f);-webkit-background-clip:text;background-clip:text;color:transparent',
  ),
  'link keeps its own colour': around(
    `<div style="color:#fff"><a href="https://example.com/">${shownText}</a></div>`,
  ),
  'fill colour beats colour': styled('color:#fff;-webkit-text-fill-color:#000'),
  'red on green of the same lightness': styled('background:#00a000;color:#f00'),
  'grey on white': styled('color:#bbb'),
  'black made white made black': styled('color:#fff;filter:invert(1)'),
  'button text in white surroundings': around(`<div style="color:#fff"><button>${shownText}</button></div>`),
  'small but readable': styled('font-size:7px'),
  'tiny by percentage, which browsers draw larger': styled('font-size:1%'),
  'set back to a size': around(
    `<div style="font-size:0"><span style="font-size:14px">${shownText}</span></div>`,
  ),
  'font shorthand sets the size': around(
    `<div style="font-size:0"><span style="font:14px/20px Arial,sans-serif">${shownText}</span></div>`,
  ),
  'bad font shorthand': styled('font:0'),
  zoomed: styled('zoom:.8'),
  'print only': sheet('@media print{.x{display:none}}'),
  'phones only': sheet('@media (max-width:480px){.x{display:none}}'),
  'dark mode only': sheet('@media (prefers-color-scheme:dark){.x{color:#fff}}'),
  unsupported: sheet('@supports (display:nonsense){.x{display:none}}'),
  'other class': sheet('.xx{display:none}'),
  'class in other case': sheet('.X{display:none}'),
  'pseudo-element only': sheet('.x::before{display:none;content:"-"}'),
  'first line only by old syntax': sheet('.x:before{display:none}'),
  'one bad selector spoils the list': sheet('.x,.q:nonsense{display:none}'),
  'hover only': sheet('.x:hover{display:none}'),
  'not matched by not': sheet('div:not(.x){display:none}'),
  'second child only': sheet('body>:nth-child(4){display:none}'),
  'layers lose': sheet('@layer a{.x{display:none}}.x{display:block}'),
  'first layer wins when important': sheet(
    '@layer a,b;@layer a{.x{display:block!important}}@layer b{.x{display:none!important}}',
  ),
  'unset variable': sheet('.x{display:var(--nothing)}'),
  'rule inside a comment': sheet('/* .x{display:none} */'),
  'rule after a broken rule': sheet('@media{'.replace('{', '') + ';p{color:#000}'),
  'unknown at-rule': sheet('@nonsense{.x{display:none}}'),
  'animation that ends shown': sheet(
    '@keyframes s{from{opacity:0}to{opacity:1}}.x{opacity:0;animation:s 0s forwards}',
  ),
  'contents keeps no box': styled('display:contents;opacity:0;height:0;overflow:hidden'),
  'z-index below, on the bare page': styled('position:relative;z-index:-1'),
  'above a cover': around(
    `<div style="position:relative"><div style="position:absolute;inset:0;background:#fff"></div><p style="position:relative">${shownText}</p></div>`,
  ),
  'text of the cover itself': around(
    `<div style="position:relative;height:40px"><div style="position:absolute;inset:0;background:#eee">${shownText}</div></div>`,
  ),
  'moved and moved back': styled(
    'position:absolute;left:50%;margin-left:-400px;width:800px;padding-top:150px',
  ),
  'clip around all of it': styled('position:absolute;clip:rect(0,600px,200px,0)'),
  'clip without edges': styled('position:absolute;clip:rect(0 auto auto 0)'),
  'clip of the upper half': styled('clip-path:inset(50% 0 0);padding-top:30px'),
  'no colour on a dark ground': styled('background:#222'),
  'positioned by the page': styled('position:absolute;left:100px;top:120px'),
  'first lines of a clipped box': around(`<div style="height:40px;overflow:hidden">${shownText}</div>`),
  'svg text': around(`<svg width="300" height="20"><text y="15">${shownText}</text></svg>`),
  math: around(`<math><mtext>${shownText.replaceAll(' ', ' ')}</mtext></math>`),
  'closed early by a paragraph': around(`<p style="display:none">${''}<div>${shownText}</div>`),
  'tables in tables keep sizes without doctype': `<p>Dear team</p><div style="font-size:0"><table><tr><td>${shownText}</td></tr></table></div><p>Kind regards</p>`,
  'unknown elements': around(`<o:p>${shownText}</o:p>`),
  'bidi override by style': styled('unicode-bidi:bidi-override;direction:ltr'),
  'object without data': around(`<object>${shownText}</object>`),
  marquee: around(`<marquee scrollamount="0" behavior="alternate">${shownText}</marquee>`),
  textarea: around(`<textarea cols="50">${shownText}</textarea>`),
  legend: around(`<fieldset><legend>${shownText}</legend></fieldset>`),
  caption: around(`<table><caption>${shownText}</caption><tr><td>x</td></tr></table>`),
  ...computedShown(shownText),
}
