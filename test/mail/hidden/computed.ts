/** Values that a browser works out, and places that follow from other boxes: text they hide, and text they only seem to. */

const around = (middle: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body><p>Dear team</p>${middle}<p>Kind regards</p></body></html>`
const drawn = (inside: string, attributes = '') =>
  around(`<svg width="300" height="40" ${attributes}>${inside}</svg>`)

/** A block of known height, and one after it. */
const overlaid = (text: string, over: string, style = '') =>
  around(`<div style="height:30px;${style}">${text}</div><div style="${over};height:40px">Hello there</div>`)

/** Style attributes by name, each with the attributes it refers to. */
const hiding: Record<string, string | [style: string, attributes: string]> = {
  'size times a sine': 'font-size:calc(1px*sin(0))',
  'size times a cosine': 'font-size:calc(16px*cos(90deg))',
  'size times a tangent': 'font-size:calc(16px*tan(0deg))',
  'size times a power': 'font-size:calc(16px*pow(0,2))',
  'size times a root': 'font-size:calc(16px*sqrt(0))',
  'size times an exponential': 'font-size:calc(16px*exp(-9))',
  'size times a logarithm': 'font-size:calc(16px*log(1))',
  'size of a hypotenuse': 'font-size:hypot(0px,0px)',
  'size of a modulus': 'font-size:mod(16px,4px)',
  'size of a remainder': 'font-size:rem(16px,8px)',
  'size rounded down': 'font-size:round(down,15px,16px)',
  'size rounded to the nearest': 'font-size:round(1px,16px)',
  'size rounded to zero': 'font-size:round(to-zero,15px,16px)',
  'size times an inverse': 'font-size:calc(16px*sin(asin(0)))',
  'size times an angle of two': 'font-size:calc(1px*sin(atan2(0,1)))',
  'size times a sine of pi': 'font-size:calc(16px*sin(pi))',
  'size over infinity': 'font-size:calc(16px/infinity)',
  'size clamped to a sine': 'font-size:calc(clamp(0px,1px*sin(0),9px))',
  'size clamped without bounds': 'font-size:clamp(none,0px,none)',
  'size in the shorthand': 'font:calc(1px*sin(0))/1 serif',
  'opacity of a sine': 'opacity:sin(0)',
  'opacity of a progress': 'opacity:progress(0,0,10)',
  'opacity by the place among siblings': 'opacity:calc(sibling-index() - 2)',
  'height of a sine': 'height:calc(9px*sin(0));overflow:hidden',
  'width of a sine': 'max-width:calc(1px*sin(0));overflow:hidden;white-space:nowrap',
  'scaled by a sine': 'scale:sin(0)',
  'transformed by a sine': 'transform:scale(sin(0))',
  'moved by a cosine': 'position:absolute;left:calc(-9999px*cos(0))',
  'indented by a cosine': 'text-indent:calc(-9999px*cos(0))',
  'clipped by a calculation': 'clip-path:inset(calc(50%*1))',
  'behind the eye': 'transform:perspective(1px) translateZ(2px)',
  'too far from the eye': 'transform:perspective(10px) translateZ(-100000px)',
  'display from the environment': 'display:env(zz,none)',
  'visibility from the environment': 'visibility:env(zz,hidden)',
  'size from the environment': 'font-size:env(zz,0)',
  'size from a known environment': 'font-size:env(safe-area-inset-top,16px)',
  'opacity from the environment': 'opacity:env(zz, 0)',
  'colour from the environment': 'color:env(zz,white)',
  'environment in a calculation': 'font-size:calc(env(zz,0)*1px)',
  'environment behind a variable': '--a:none;display:var(--b,env(zz,var(--a)))',
  'rgb from white': 'color:rgb(from white r g b)',
  'rgb from a colour from white': 'color:rgb(from rgb(from white r g b) r g b)',
  'rgb with no alpha': 'color:rgb(from black r g b / 0)',
  'rgb with alpha calculated away': 'color:rgb(from black r g b / calc(alpha*0))',
  'rgb with channels calculated': 'color:rgb(from black calc(r + 255) calc(g + 255) calc(b + 255))',
  'hsl from red': 'color:hsl(from red h s 100%)',
  'hsl from white': 'color:hsl(from white h s l)',
  'hwb from white': 'color:hwb(from white h w b)',
  'lab from white': 'color:lab(from white l a b)',
  'oklch from white': 'color:oklch(from white l c h)',
  'oklab from black': 'color:oklab(from black 1 a b)',
  'srgb from white': 'color:color(from white srgb r g b)',
  'fill from white': '-webkit-text-fill-color:rgb(from white r g b)',
  'rgb calculated': 'color:rgb(calc(255) calc(250 + 5) 255)',
  'hsl calculated': 'color:hsl(0 0% calc(100%*1))',
  'contrast colour': 'color:contrast-color(black)',
  'indented by its own width': 'text-indent:100%;white-space:nowrap;overflow:hidden',
  'indented beyond a small box':
    'width:100px;height:20px;text-indent:120%;white-space:nowrap;overflow:hidden',
  'indented beyond the page': 'text-indent:900px;white-space:nowrap;overflow:hidden',
  'padded by its own width': 'padding-left:100%;white-space:nowrap;overflow:hidden;box-sizing:border-box',
  'along a ray': 'position:absolute;offset-path:ray(270deg);offset-distance:5000px',
  'along a path': "offset-path:path('M -5000 -5000 L -6000 -6000');offset-distance:0%",
  'along a path in the shorthand': "offset:path('M-5000,-5000L-6000,-6000') 10px",
  'display from an attribute': ['display:attr(data-x type(*))', 'data-x="none"'],
  'display from an attribute of a kind': [
    'display:attr(data-x type(&lt;custom-ident&gt;),block)',
    'data-x="none"',
  ],
  'size from an attribute': ['font-size:attr(data-x type(&lt;length&gt;),16px)', 'data-x="0px"'],
  'size from an attribute with a unit': ['font-size:attr(data-x px,16px)', 'data-x="0"'],
  'colour from an attribute': ['color:attr(data-x type(&lt;color&gt;),black)', 'data-x="white"'],
  'opacity from an attribute': ['opacity:attr(data-x type(&lt;number&gt;),1)', 'data-x="0"'],
  'display in place of an attribute': 'display:attr(data-y type(*),none)',
  'attribute behind a variable': ['--d:attr(data-x type(*));display:var(--d)', 'data-x="none"'],
  'if nothing else': 'display:if(else: none)',
  'if supported': 'display:if(supports(display:block): none; else: block)',
  'if the window is so': 'display:if(media(width > 1px): none; else: block)',
  'if a variable is so': '--a:1;display:if(style(--a:1): none; else: block)',
  'if not printed': 'color:if(media(print): black; else: white)',
}

export function computedWays(text: string): Record<string, string> {
  const table = (columns: string, cells: string) => around(`<table>${columns}<tr>${cells}</tr></table>`)
  return {
    ...spread(hiding, text),
    'drawn to the left': drawn(`<text x="-900" y="20">${text}</text>`),
    'drawn to the right': drawn(`<text x="400" y="20">${text}</text>`),
    'drawn above': drawn(`<text x="0" y="-20">${text}</text>`),
    'drawn below': drawn(`<text x="0" y="200">${text}</text>`),
    'drawn moved': drawn(`<text x="0" dx="-900" y="20">${text}</text>`),
    'drawn in a span moved': drawn(`<text y="20"><tspan x="-900">${text}</tspan></text>`),
    'drawn and translated': drawn(`<text y="20" transform="translate(-900)">${text}</text>`),
    'drawn in a translated group': drawn(`<g transform="translate(0,-300)"><text y="20">${text}</text></g>`),
    'drawn in a scaled group': drawn(`<g transform="scale(0)"><text y="20">${text}</text></g>`),
    'drawn beside the view': drawn(`<text y="20">${text}</text>`, 'viewBox="1000 1000 10 10"'),
    'under a box pulled up by its margin': overlaid(
      text,
      'position:relative;margin-top:-30px;background:#fff',
    ),
    'under a box it lets up by its own margin': overlaid(
      text,
      'position:relative;background:#fff',
      'margin-bottom:-30px',
    ),
    'under a box moved up': overlaid(text, 'position:relative;top:-30px;background:#fff'),
    'under a box transformed up': overlaid(text, 'transform:translateY(-30px);background:#fff'),
    'column folded': table('<col style="visibility:collapse"><col>', `<td>${text}</td><td>Hello</td>`),
    'columns folded together': table(
      '<col span="2" style="visibility:collapse"><col>',
      `<td>Hi</td><td>${text}</td><td>Hello</td>`,
    ),
    'group of columns folded': table(
      '<colgroup style="visibility:collapse"><col></colgroup><colgroup><col></colgroup>',
      `<td>${text}</td><td>Hello</td>`,
    ),
    'column folded by a sheet': around(
      `<table><colgroup><col><col class="c"></colgroup><tr><td>Hello</td><td>${text}</td></tr></table>`,
      '<style>.c{visibility:collapse}</style>',
    ),
  }
}

const showing: Record<string, string | [style: string, attributes: string]> = {
  'size times a cosine of nothing': 'font-size:calc(16px*cos(0))',
  'size times a power of two': 'font-size:calc(4px*pow(2,2))',
  'size of a long hypotenuse': 'font-size:hypot(12px,12px)',
  'size of what remains': 'font-size:rem(30px,16px)',
  'size rounded up': 'font-size:round(up,1px,16px)',
  'environment without a stand-in': 'display:env(zz)',
  'environment of a block': 'display:env(zz,block)',
  'red from white': 'color:rgb(from white calc(r - 255) 0 0)',
  'black from white': 'color:hsl(from white h s 0%)',
  'black calculated': 'color:rgb(calc(255 - 255) 0 0)',
  'indented by half': 'text-indent:50%;white-space:nowrap;overflow:hidden',
  'size from an attribute': ['font-size:attr(data-x px,0px)', 'data-x="16"'],
  'attribute that is missing': 'display:attr(data-y type(*))',
  'only if printed': 'display:if(media(print): none; else: block)',
  'only if a variable is so': '--a:2;display:if(style(--a:1): none; else: block)',
}

export function computedShown(text: string): Record<string, string> {
  return {
    ...spread(showing, text),
    'drawn in its place': drawn(`<text x="10" y="20">${text}</text>`),
    'drawn in a span of another place': drawn(
      `<text x="-5" y="20"><tspan x="4" dy="3">${text}</tspan></text>`,
    ),
    'drawn beyond a view that shows it': around(
      `<svg width="30" height="40" style="overflow:visible"><text x="100" y="20">${text}</text></svg>`,
    ),
    'under a box that is not layered': around(
      `<div style="height:30px">${text}</div><div style="margin-top:-30px;height:40px;background:#fff"></div>`,
    ),
    'under the edge of a box': around(
      `<div style="height:30px">${text}</div><div style="position:relative;margin-top:-5px;height:40px;background:#fff"></div>`,
    ),
    'under a box one sees through': around(
      `<div style="height:30px">${text}</div><div style="position:relative;margin-top:-30px;height:40px"></div>`,
    ),
    'column of another visibility': around(
      `<table><col style="visibility:hidden"><col><tr><td>${text}</td><td>Hello</td></tr></table>`,
    ),
  }
}

function spread(
  styles: Record<string, string | [style: string, attributes: string]>,
  text: string,
): Record<string, string> {
  const entries = Object.entries(styles).map(([name, style]) => {
    const [css, attributes] = typeof style === 'string' ? [style, ''] : style
    return [name, around(`<div ${attributes} style="${css}">${text}</div>`)]
  })
  return Object.fromEntries(entries) as Record<string, string>
}
