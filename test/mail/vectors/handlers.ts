import { named } from './vector.ts'
import type { Vector } from './vector.ts'

const events = (
  'abort animationend animationiteration animationstart auxclick beforecopy beforecut beforeinput ' +
  'beforepaste beforetoggle blur cancel canplay canplaythrough change click close command ' +
  'contentvisibilityautostatechange contextlost contextmenu contextrestored copy cuechange cut ' +
  'dblclick drag dragend dragenter dragleave dragover dragstart drop durationchange emptied ended ' +
  'error focus focusin focusout formdata gotpointercapture input invalid keydown keypress keyup load ' +
  'loadeddata loadedmetadata loadstart lostpointercapture mousedown mouseenter mouseleave mousemove ' +
  'mouseout mouseover mouseup mousewheel paste pause play playing pointercancel pointerdown ' +
  'pointerenter pointerleave pointermove pointerout pointerover pointerrawupdate pointerup progress ' +
  'ratechange reset resize scroll scrollend scrollsnapchange scrollsnapchanging ' +
  'securitypolicyviolation seeked seeking select selectionchange selectstart slotchange stalled ' +
  'submit suspend timeupdate toggle volumechange waiting webkitfullscreenchange wheel'
).split(' ')

/** Events of the window, which only `<body>` can listen to, and some that no script can imitate. */
const windowEvents = (
  'afterprint beforematch beforeprint beforeunload beforexrselect fullscreenchange fullscreenerror ' +
  'hashchange languagechange message messageerror offline online pagehide pageshow popstate ' +
  'rejectionhandled storage transitioncancel transitionend transitionrun transitionstart ' +
  'unhandledrejection unload webkitanimationend webkitanimationiteration webkitanimationstart ' +
  'webkittransitionend search'
).split(' ')

/** Elements by kind: kept, replaced, dropped, foreign, and the page's own. */
const elements: ((attribute: string) => string)[] = [
  (attribute) => `<img alt=text ${attribute}>`,
  (attribute) => `<div ${attribute}>text</div>`,
  (attribute) => `<a href="https://a.example/" ${attribute}>text</a>`,
  (attribute) => `<table ${attribute}><tr><td>text</table>`,
  (attribute) => `<svg ${attribute}><circle r=9></svg>`,
  (attribute) => `<input autofocus ${attribute}>`,
  (attribute) => `<details open ${attribute}><summary>text</summary></details>`,
  (attribute) => `<marquee ${attribute}>text</marquee>`,
  (attribute) => `<unknown-thing tabindex=1 ${attribute}>text</unknown-thing>`,
]

/** Ways to write an attribute that careless readers miss. */
const spellings: ((event: string) => string)[] = [
  (event) => `on${event}=HIT`,
  (event) => `ON${event.toUpperCase()}="HIT"`,
  (event) => `x/on${event}='HIT'`,
]

export function handlerVectors(): Vector[] {
  const vectors = events.flatMap((event, at) =>
    elements.map((element, kind) => {
      const attribute = spellings[(at + kind) % spellings.length]!(event)
      return { name: `on${event} in ${element('…')}`, html: element(attribute) }
    }),
  )
  const body = [...events, ...windowEvents].map((event) => ({
    name: `body on${event}`,
    html: `<body on${event}=HIT>text`,
  }))
  return [...vectors, ...body, ...named('handler', oddHandlers)]
}

const oddHandlers = [
  '<img src=LOCAL\nonerror=HIT>',
  '<img src=LOCAL\tonerror=HIT>',
  '<img src=LOCAL\fonerror=HIT>',
  '<img src=LOCAL/onerror=HIT>',
  '<img/src=LOCAL/onerror=HIT>',
  '<img//src=LOCAL//onerror=HIT//>',
  '<img src="LOCAL"onerror="HIT">',
  "<img src='LOCAL'onerror='HIT'>",
  '<img src=LOCAL onerror = HIT>',
  '<img src=LOCAL onerror\n=\nHIT>',
  '<img src=LOCAL onerror=&#72IT;HIT alt=a>',
  '<img src=LOCAL onerror="v&#x6f;id&lpar;0&rpar;;HIT">',
  '<img src=LOCAL onerror="HIT',
  '<img src=LOCAL onerror=HIT',
  '<img src=LOCAL onerror=HIT <p>text',
  '<img src=LOCAL alt="a>b" onerror=HIT>',
  "<img src=LOCAL alt='\"' onerror=HIT title='\"'>",
  '<img alt="`" src=LOCAL onerror=HIT title="`">',
  '<img """><img src=LOCAL onerror=HIT>">',
  '<<img src=LOCAL onerror=HIT>',
  '<<<img src=LOCAL onerror=HIT>>>',
  '<p <img src=LOCAL onerror=HIT>',
  '<p title="<img src=LOCAL onerror=HIT>"><img src=LOCAL onerror=HIT></p>',
  '<IMG SRC=LOCAL ONERROR=HIT>',
  '<iMg sRc=LOCAL oNeRrOr=HIT>',
  '<image src=LOCAL onerror=HIT>',
  '<img src=LOCAL onerror=HIT//',
  '<img\u0000 src=LOCAL onerror=HIT>',
  '<img src=LOCAL \u0000onerror=HIT onerror=HIT>',
  '<img src=LOCAL one\u0000rror=HIT onerror=HIT>',
  '<img src=LOCAL onerror\u000b=HIT onerror=HIT>',
  '</p onclick=HIT><img src=LOCAL onerror=HIT>',
  '<body/onload=HIT>',
  '<body onload\n=HIT>',
  '<html onclick=HIT><body>text',
  '<video><source onerror=HIT src=LOCAL></video>',
  '<audio src=LOCAL onerror=HIT>',
  '<video src=LOCAL onerror=HIT></video>',
  '<video onloadstart=HIT><source src=LOCAL></video>',
  '<video poster=LOCAL onerror=HIT src=LOCAL>',
  '<object data=LOCAL onerror=HIT>',
  '<object data="data:text/plain," onload=HIT></object>',
  '<embed src="data:text/plain," onload=HIT>',
  '<iframe onload=HIT></iframe>',
  '<iframe src="data:text/plain," onload=HIT>',
  '<iframe srcdoc="" onload=HIT></iframe>',
  '<frameset onload=HIT><frame></frameset>',
  '<link rel=stylesheet href="data:text/css," onload=HIT>',
  '<link rel=stylesheet href=LOCAL onerror=HIT>',
  '<link rel=icon href=LOCAL onerror=HIT><link rel=preload as=image href=LOCAL onerror=HIT>',
  '<style onload=HIT></style>',
  '<style onload=HIT>a{}</style>',
  '<script src=LOCAL onerror=HIT></script>',
  '<script src="data:text/javascript," onload=HIT></script>',
  '<svg onload=HIT>',
  '<svg/onload=HIT>',
  '<svg><g onload=HIT></svg>',
  '<svg><image href=LOCAL onerror=HIT></svg>',
  '<svg><style onload=HIT>a{}</style></svg>',
  '<svg><script href=LOCAL onerror=HIT></script></svg>',
  '<svg><animate onbegin=HIT attributeName=x dur=1s></svg>',
  '<svg><animate onend=HIT attributeName=x dur=1ms></svg>',
  '<svg><set onbegin=HIT attributeName=x></svg>',
  '<svg><animateTransform onbegin=HIT attributeName=transform></svg>',
  '<svg><discard onbegin=HIT></svg>',
  '<svg><foreignObject><img src=LOCAL onerror=HIT></foreignObject></svg>',
  '<svg><p><img src=LOCAL onerror=HIT></svg>',
  '<math><mtext><img src=LOCAL onerror=HIT></mtext></math>',
  '<math onclick=HIT>x</math>',
  '<math><mi onclick=HIT>x</mi></math>',
  '<input onfocus=HIT autofocus>',
  '<textarea onfocus=HIT autofocus></textarea>',
  '<select onfocus=HIT autofocus></select>',
  '<button onfocus=HIT autofocus>b</button>',
  '<button popovertarget=x>b</button><div popover id=x onbeforetoggle=HIT>y</div>',
  '<div contenteditable autofocus onfocus=HIT>text</div>',
  '<a href=# autofocus tabindex=1 onfocus=HIT>text</a>',
  '<keygen autofocus onfocus=HIT>',
  '<details ontoggle=HIT open>text</details>',
  '<dialog open onclose=HIT><form method=dialog><button>b</button></form></dialog>',
  '<marquee onstart=HIT>text</marquee>',
  '<isindex type=image src=LOCAL onerror=HIT>',
  '<input type=image src=LOCAL onerror=HIT>',
  '<bgsound src=LOCAL onload=HIT onclick=HIT>',
  '<div style="animation:x 1ms" onanimationstart=HIT></div><style>@keyframes x{}</style>',
  '<div style="transition:color 1ms" ontransitionend=HIT onclick=HIT>text</div>',
  '<template><img src=LOCAL onerror=HIT></template><img src=LOCAL onerror=HIT>',
  '<div><template shadowrootmode=open><img src=LOCAL onerror=HIT></template></div>',
  '<noembed><img title="</noembed><img src=LOCAL onerror=HIT>"></noembed>',
  '<p is=x-y onclick=HIT>text</p>',
]
