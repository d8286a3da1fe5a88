import { named } from './vector.ts'
import type { Vector } from './vector.ts'

/** Contexts in which the same letters mean something else. */
const contexts = [
  '',
  '<svg>',
  '<math>',
  '<math><mtext>',
  '<math><mi><mglyph>',
  '<math><annotation-xml encoding="text/html">',
  '<math><annotation-xml>',
  '<svg><foreignObject>',
  '<svg><desc>',
  '<svg><title>',
  '<svg></p>',
  '<math></br>',
  '<table>',
  '<table><tr>',
  '<select>',
  '<template>',
  '<noscript>',
  '<form><math><mtext></form><form><mglyph>',
  '<math><mtext><table><mglyph>',
  '<svg><math><svg>',
  '<p><svg><p>',
]

const textElements = 'style title textarea noscript xmp iframe noembed noframes script'.split(' ')

/** Inside an attribute for one reader, outside of it for another. */
const hidden = '<img src=LOCAL onerror=HIT>'

export function mutationVectors(): Vector[] {
  const nested = contexts.flatMap((context) =>
    textElements.flatMap((name) => [
      {
        name: `${context} ${name} with an end tag in an attribute`,
        html: `${context}<${name}><a title="</${name}>${hidden}">`,
      },
      {
        name: `${context} ${name} around a comment`,
        html: `${context}<${name}><!--</${name}>${hidden}-->`,
      },
    ]),
  )
  const comments = contexts.flatMap((context) => [
    { name: `${context} comment in an attribute`, html: `${context}<!--><a title="-->${hidden}">` },
    { name: `${context} cdata`, html: `${context}<![CDATA[><a title="]]>${hidden}">` },
    { name: `${context} unclosed attribute`, html: `${context}<a title="${hidden}` },
    {
      name: `${context} style as text or markup`,
      html: `${context}<style><a title="</style>${hidden}"></style>`,
    },
  ])
  return [...nested, ...comments, ...named('mutation', odd)]
}

const odd = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=LOCAL onerror=HIT&gt;">',
  '<math><mtext><table><mglyph><style><math><img src=LOCAL onerror=HIT></style>',
  '<form><math><mtext></form><form><mglyph><style></math><img src=LOCAL onerror=HIT>',
  '<svg></p><style><a id="</style><img src=LOCAL onerror=HIT>">',
  '<svg><p><style><!--</style><img src=LOCAL onerror=HIT>--></style>',
  '<math><mi><table><mglyph><textarea><a title="</textarea><img src=LOCAL onerror=HIT>">',
  '<noscript><p title="</noscript><img src=LOCAL onerror=HIT>">',
  '<noscript><style></noscript><img src=LOCAL onerror=HIT>',
  '<select><template><img src=LOCAL onerror=HIT></template></select><img src=LOCAL onerror=HIT>',
  '<select><style></select><img src=LOCAL onerror=HIT></style>',
  '<select><textarea></select><img src=LOCAL onerror=HIT></textarea>',
  '<select><iframe></select><img src=LOCAL onerror=HIT></iframe>',
  '<textarea><script></textarea><script>HIT</script>',
  '<title><img title="</title><img src=LOCAL onerror=HIT>">',
  '<iframe><img title="</iframe><img src=LOCAL onerror=HIT>">',
  '<xmp><img title="</xmp><img src=LOCAL onerror=HIT>">',
  '<plaintext><img src=LOCAL onerror=HIT>',
  '<listing>&lt;img src=LOCAL onerror=HIT&gt;</listing><img src=LOCAL onerror=HIT>',
  '<pre>\n\n&lt;img src=LOCAL onerror=HIT&gt;</pre><script>HIT</script>',
  '<!--[if gte mso 9]><img src=LOCAL onerror=HIT><![endif]--><img src=LOCAL onerror=HIT>',
  '<!--[if !mso]><!--><img src=LOCAL onerror=HIT><!--<![endif]-->',
  '<![if !IE]><img src=LOCAL onerror=HIT><![endif]>',
  '<!-- --!><img src=LOCAL onerror=HIT>',
  '<!--><img src=LOCAL onerror=HIT>-->',
  '<!---><img src=LOCAL onerror=HIT>-->',
  '<!-- -- ><img src=LOCAL onerror=HIT> --><img src=LOCAL onerror=HIT>',
  '<!><img src=LOCAL onerror=HIT>',
  '</><img src=LOCAL onerror=HIT>',
  '<?><img src=LOCAL onerror=HIT>',
  '</ x><img src=LOCAL onerror=HIT>',
  "<%<!--'%><script>HIT</script -->",
  '<a title="&quot;><img src=LOCAL onerror=HIT>">x</a><img src=LOCAL onerror=HIT>',
  '<img alt="&lt;/style&gt;&lt;script&gt;HIT&lt;/script&gt;"><script>HIT</script>',
  '<p title="--&gt;&lt;script&gt;HIT&lt;/script&gt;">x</p><script>HIT</script>',
  '&lt;script&gt;HIT&lt;/script&gt;<script>HIT</script>',
  '<svg><style>&lt;img src=LOCAL onerror=HIT&gt;</style></svg><img src=LOCAL onerror=HIT>',
  '<svg><style><img src=LOCAL onerror=HIT></style></svg>',
  '<svg><title><img src=LOCAL onerror=HIT></title></svg>',
  '<svg><![CDATA[><img src=LOCAL onerror=HIT>]]></svg><img src=LOCAL onerror=HIT>',
  '<svg><desc><![CDATA[</desc><img src=LOCAL onerror=HIT>]]>',
  '<math><annotation-xml encoding="application/xhtml+xml"><img src=LOCAL onerror=HIT>',
  '<math><annotation-xml encoding="text/html"><style><img src="</style><img src=LOCAL onerror=HIT>">',
  '<b><p><b><p><math><mtext></b></p><style><!--</style><img src=LOCAL onerror=HIT>-->',
  '<a><table><a><math><style></a></table><img src=LOCAL onerror=HIT></style>',
  '<table><td><svg><desc><td></svg><img src=LOCAL onerror=HIT></table>',
  '<h1><table><colgroup><h2><svg><style><img src=LOCAL onerror=HIT></style>',
  '<font><p><font><svg><font color=x><img src=LOCAL onerror=HIT>',
  '<form><div></form><form><img src=LOCAL onerror=HIT>',
  '<dl><dt><svg></dt><style><img src=LOCAL onerror=HIT></style>',
  '<div>'.repeat(600) + '<svg><style><img src=LOCAL onerror=HIT></style>',
  '<div>'.repeat(520) + '<math><mtext><table><mglyph><style><img src=LOCAL onerror=HIT></style>',
  '<b>'.repeat(300) + '<img src=LOCAL onerror=HIT>',
  '<table><tr><td>'.repeat(200) + '<img src=LOCAL onerror=HIT>',
]
