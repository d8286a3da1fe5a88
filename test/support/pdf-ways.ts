/** PDFs that hide a sentence, and PDFs that only look as if they did, as functions of that sentence. */

import { makePdf } from './documents.ts'

type Options = NonNullable<Parameters<typeof makePdf>[1]>
export type PdfWay = (sentence: string) => Buffer

const stream = (dictionary: string, content: string): string =>
  `<< ${dictionary} /Length ${Buffer.byteLength(content)} >>\nstream\n${content}\nendstream`
const font = '/Resources << /Font << /F1 3 0 R >> >>'
const say = (sentence: string, before = '', size = 12): string =>
  `BT /F1 ${size} Tf ${before} 50 600 Td (${sentence}) Tj ET`
const box = (color: string, x = 40, y = 590, width = 500, height = 30): string =>
  `${color} ${x} ${y} ${width} ${height} re f`
const greeting = 'BT /F1 12 Tf 50 700 Td (Dear team) Tj ET\n'

/** A page that greets, and `content` after it. `objects` are numbered from 6. */
const way =
  (content: (sentence: string) => string, options: Options | ((sentence: string) => Options) = {}): PdfWay =>
  (sentence) =>
    makePdf(
      [`${greeting}q ${content(sentence)} Q`],
      typeof options === 'function' ? options(sentence) : options,
    )

const picture = (pixels: readonly number[], width: number): string =>
  stream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${pixels.length / width} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /ASCIIHexDecode`,
    `${pixels.map((each) => each.toString(16).padStart(2, '0')).join('')}>`,
  )
const state = (entries: string): Options => ({ resources: `/ExtGState << /G << ${entries} >> >>` })
const layer = (extra: string): Options => ({
  objects: ['<< /Type /OCG /Name (a) >>'],
  catalog: `/OCProperties << /OCGs [6 0 R] /D << ${extra} >> >>`,
  resources: '/Properties << /L 6 0 R >>',
})

/** Names other letters than are drawn: each letter becomes the next one. */
const liar = stream(
  '',
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <21> <7e> <0022> endbfrange endcmap end end',
)
const talker = (sentence: string): string =>
  stream(
    '',
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <${Buffer.from(sentence, 'utf16le').swap16().toString('hex')}> endbfchar endcmap end end`,
  )
/** A font whose letters are drawn by `steps`. */
const ownFont = (steps: string): string[] => {
  const codes = Array.from({ length: 94 }, (_, at) => 33 + at)
  return [
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 33 /LastChar 126 /Widths [${codes.map(() => 600).join(' ')}] /Encoding << /Differences [33 ${codes.map((code) => `/g${code}`).join(' ')}] >> /CharProcs << ${codes.map((code) => `/g${code} 7 0 R`).join(' ')} >> /ToUnicode 8 0 R /Resources << >> >>`,
    stream('', steps),
    stream(
      '',
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <21> <7e> <0021> endbfrange endcmap end end',
    ),
  ]
}
const inOwnFont = (steps: string): PdfWay =>
  way((sentence) => say(sentence).replace('/F1', '/F2'), {
    objects: ownFont(steps),
    fonts: '/F2 6 0 R',
  })

export const hidingPdfs: Record<string, PdfWay> = {
  'white on the page': way((sentence) => `1 g ${say(sentence)}`),
  'nearly white': way((sentence) => `0.95 g ${say(sentence)}`),
  'white in RGB': way((sentence) => `1 1 1 rg ${say(sentence)}`),
  'white in CMYK': way((sentence) => `0 0 0 0 k ${say(sentence)}`),
  'white by a colour space': way((sentence) => `/Cs cs 1 sc ${say(sentence)}`, {
    resources: '/ColorSpace << /Cs [/CalGray << /WhitePoint [1 1 1] >>] >>',
  }),
  'black on a black banner': way((sentence) => `${box('0 g')} 0 g ${say(sentence)}`),
  'blue on nearly the same blue': way((sentence) => `${box('0 0 0.5 rg')} 0 0 0.55 rg ${say(sentence)}`),
  'white beside a dark banner': way((sentence) => `${box('0 g', 40, 640)} 1 g ${say(sentence)}`),
  'white on a banner that is covered before': way(
    (sentence) => `${box('0 g')} ${box('1 g')} 1 g ${say(sentence)}`,
  ),
  'black on a broad black line': way((sentence) => `30 w 0 G 40 604 m 560 604 l S 0 g ${say(sentence)}`),
  'black on a black picture': way((sentence) => `q 500 0 0 30 40 590 cm /Im Do Q 0 g ${say(sentence)}`, {
    objects: [picture([0, 0, 0, 0], 2)],
    resources: '/XObject << /Im 6 0 R >>',
  }),
  'white on the white half of a picture': way(
    (sentence) => `q 500 0 0 60 40 580 cm /Im Do Q 1 g ${say(sentence)}`,
    { objects: [picture([0, 255], 1)], resources: '/XObject << /Im 6 0 R >>' },
  ),
  'covered by a white box': way((sentence) => `${say(sentence)} ${box('1 g')}`),
  'covered by a black box': way((sentence) => `${say(sentence)} ${box('0 g')}`),
  'covered by many thin lines': way(
    (sentence) =>
      `${say(sentence)} 1 G 4 w ${Array.from({ length: 16 }, (_, at) => `40 ${590 + 2 * at} m 560 ${590 + 2 * at} l S`).join(' ')}`,
  ),
  'covered by a picture': way((sentence) => `${say(sentence)} q 500 0 0 30 40 590 cm /Im Do Q`, {
    objects: [picture([200, 200, 200, 200], 2)],
    resources: '/XObject << /Im 6 0 R >>',
  }),
  'covered by a form': way((sentence) => `${say(sentence)} /Fm Do`, {
    objects: [stream('/Type /XObject /Subtype /Form /BBox [0 0 600 800]', box('1 g'))],
    resources: '/XObject << /Fm 6 0 R >>',
  }),
  'covered by an annotation': way((sentence) => say(sentence), {
    objects: [
      stream('/Type /XObject /Subtype /Form /BBox [0 0 500 30]', '1 g 0 0 500 30 re f'),
      '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [40 590 540 620] /AP << /N 6 0 R >> >>',
    ],
    annotations: '7 0 R',
  }),
  'covered by a curved shape': way(
    (sentence) => `${say(sentence)} 1 g 20 590 m 20 680 590 680 590 590 c 590 540 20 540 20 590 c f`,
  ),
  'clipped away by a box': way((sentence) => `0 0 10 10 re W n ${say(sentence)}`),
  'clipped away by a shape': way((sentence) => `0 0 m 50 0 l 0 50 l h W n ${say(sentence)}`),
  'clipped to nothing': way((sentence) => `100 100 0 0 re W n ${say(sentence)}`),
  'clipped by the box of a form': way(
    () => '/Fm Do',
    (sentence) => ({
      objects: [stream(`/Type /XObject /Subtype /Form /BBox [0 0 20 20] ${font}`, say(sentence))],
      resources: '/XObject << /Fm 6 0 R >>',
    }),
  ),
  'clipped by a hole': way((sentence) => `0 0 600 800 re 30 580 540 50 re W* n ${say(sentence)}`),
  'no alpha': way((sentence) => `/G gs ${say(sentence)}`, state('/ca 0')),
  'hardly any alpha': way((sentence) => `/G gs ${say(sentence)}`, state('/ca 0.04')),
  'alpha of a group': way(
    () => '/G gs /Fm Do',
    (sentence) => ({
      objects: [
        stream(
          `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Group << /S /Transparency >> ${font}`,
          say(sentence),
        ),
      ],
      resources: '/XObject << /Fm 6 0 R >> /ExtGState << /G << /ca 0.03 >> >>',
    }),
  ),
  'a mask that lets nothing through': way((sentence) => `/G gs ${say(sentence)}`, {
    objects: [
      stream(
        '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Group << /S /Transparency /CS /DeviceGray >>',
        '0 g 0 0 600 800 re f',
      ),
    ],
    resources: '/ExtGState << /G << /SMask << /S /Luminosity /G 6 0 R >> >> >>',
  }),
  'text in a mask': way(
    () => `/G gs ${box('1 g')}`,
    (sentence) => ({
      objects: [
        stream(
          `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Group << /S /Transparency /CS /DeviceGray >> ${font}`,
          `1 g ${say(sentence)}`,
        ),
      ],
      resources: '/ExtGState << /G << /SMask << /S /Luminosity /G 6 0 R >> >> >>',
    }),
  ),
  'multiplied white': way(
    (sentence) => `${box('0 0 1 rg')} /G gs 1 g ${say(sentence)}`,
    state('/BM /Multiply'),
  ),
  'rendering mode 3': way((sentence) => say(sentence, '3 Tr')),
  'rendering mode 7': way((sentence) => say(sentence, '7 Tr')),
  'outlined in white': way((sentence) => `1 G ${say(sentence, '1 Tr')}`),
  'a broad white outline': way((sentence) => `1 G 0 g 16 w ${say(sentence, '2 Tr')}`),
  'above the page': way((sentence) => `1 0 0 1 0 900 cm ${say(sentence)}`),
  'left of the page': way((sentence) => `1 0 0 1 -5000 0 cm ${say(sentence)}`),
  'outside what is shown of the page': way((sentence) => say(sentence), { page: '/CropBox [0 640 600 800]' }),
  'one point high': way((sentence) => say(sentence, '', 1)),
  'three points high': way((sentence) => say(sentence, '', 3)),
  'made small by the matrix': way((sentence) => `0.1 0 0 0.1 0 500 cm ${say(sentence)}`),
  'squeezed to nothing': way((sentence) => say(sentence, '1 Tz')),
  'flattened to nothing': way((sentence) => `1 0 0 0.01 0 500 cm ${say(sentence)}`),
  'all letters on one place': way((sentence) => say(sentence, '-6.5 Tc')),
  'on a page as large as a hall': way((sentence) => say(sentence), { page: '/MediaBox [0 0 14000 14000]' }),
  'a layer that is off': way((sentence) => `/OC /L BDC ${say(sentence)} EMC`, layer('/OFF [6 0 R]')),
  'all layers off': way((sentence) => `/OC /L BDC ${say(sentence)} EMC`, layer('/BaseState /OFF')),
  'a form on a layer that is off': way(
    () => '/Fm Do',
    (sentence) => ({
      ...layer('/OFF [6 0 R]'),
      objects: [
        '<< /Type /OCG /Name (a) >>',
        stream(`/Type /XObject /Subtype /Form /BBox [0 0 600 800] /OC 6 0 R ${font}`, say(sentence)),
      ],
      resources: '/XObject << /Fm 7 0 R >>',
    }),
  ),
  'a field that is hidden': way(
    () => '',
    (sentence) => ({
      objects: [
        stream(
          `/Type /XObject /Subtype /Form /BBox [0 0 500 30] ${font}`,
          `BT /F1 12 Tf 5 5 Td (${sentence}) Tj ET`,
        ),
        '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /F 2 /Rect [40 590 540 620] /AP << /N 6 0 R >> >>',
      ],
      annotations: '7 0 R',
    }),
  ),
  'a field in white': way(
    () => '',
    (sentence) => ({
      objects: [
        stream(
          `/Type /XObject /Subtype /Form /BBox [0 0 500 30] ${font}`,
          `1 g BT /F1 12 Tf 5 5 Td (${sentence}) Tj ET`,
        ),
        '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /F 4 /Rect [40 590 540 620] /AP << /N 6 0 R >> >>',
      ],
      annotations: '7 0 R',
    }),
  ),
  'a pattern made of it': way(
    () => '/Pattern cs /P scn 0 0 1 1 re f',
    (sentence) => ({
      objects: [
        stream(
          `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 600 800] /XStep 600 /YStep 800 ${font}`,
          say(sentence),
        ),
      ],
      resources: '/Pattern << /P 6 0 R >>',
    }),
  ),
  'one letter that stands for all': way(
    () => say('A').replace('/F1', '/F2'),
    (sentence) => ({
      objects: [
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 7 0 R >>',
        talker(sentence),
      ],
      fonts: '/F2 6 0 R',
    }),
  ),
  'other letters than are drawn': way(
    (sentence) =>
      say(sentence.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 1))).replace(
        '/F1',
        '/F2',
      ),
    {
      objects: [
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 7 0 R >>',
        liar,
      ],
      fonts: '/F2 6 0 R',
    },
  ),
  'own letters that are blank': inOwnFont('600 0 d0'),
  'own letters that are dots': inOwnFont('600 0 d0 0 0 20 20 re f'),
  'behind a scan without a word there': way(
    (sentence) => `q 600 0 0 800 0 0 cm /Im Do Q ${say(sentence, '3 Tr')}`,
    { objects: [picture([255, 255, 255, 255], 2)], resources: '/XObject << /Im 6 0 R >>' },
  ),
}

const stripes = Array.from({ length: 200 }, (_, at) => (at % 3 === 0 ? 0 : 255))

/** Everybody sees the sentence. */
export const showingPdfs: Record<string, PdfWay> = {
  'black on white': way((sentence) => say(sentence)),
  'white on a dark banner': way((sentence) => `${box('0.1 g')} 1 g ${say(sentence)}`),
  'white on a banner made of a broad line': way(
    (sentence) => `30 w 0.2 0.2 0.6 RG 40 604 m 560 604 l S 1 g ${say(sentence)}`,
  ),
  'white on a banner in a form': way((sentence) => `/Fm Do 1 g ${say(sentence)}`, {
    objects: [stream('/Type /XObject /Subtype /Form /BBox [0 0 600 800]', box('0 0.3 0 rg'))],
    resources: '/XObject << /Fm 6 0 R >>',
  }),
  'white on a dark picture': way((sentence) => `q 500 0 0 30 40 590 cm /Im Do Q 1 g ${say(sentence)}`, {
    objects: [picture([20, 30, 10, 40], 2)],
    resources: '/XObject << /Im 6 0 R >>',
  }),
  'white on round corners': way(
    (sentence) => `0.1 g 20 590 m 20 660 590 660 590 590 c 590 550 20 550 20 590 c f 1 g ${say(sentence)}`,
  ),
  'a coloured heading': way((sentence) => `0.8 0.1 0.1 rg ${say(sentence, '', 24)}`),
  'cells of a table': way(
    (sentence) =>
      `0.9 g 40 590 500 20 re f 0 G 0.5 w 40 590 500 20 re S 40 610 m 540 610 l S 0 g ${say(sentence)}`,
  ),
  'under a highlighter': way(
    (sentence) => `${say(sentence)} /G gs ${box('1 1 0 rg')}`,
    state('/BM /Multiply'),
  ),
  'struck through and underlined': way(
    (sentence) => `${say(sentence)} 0 G 0.8 w 50 604 m 500 604 l S 50 598 m 500 598 l S`,
  ),
  'under a watermark': way((sentence) => `${say(sentence)} 0.8 g BT /F1 120 Tf 40 560 Td (DRAFT) Tj ET`),
  'small print of 6 points': way((sentence) => say(sentence, '', 6)),
  'half transparent': way((sentence) => `/G gs ${say(sentence)}`, state('/ca 0.5')),
  'outlined letters': way((sentence) => `0 G 0.5 w ${say(sentence, '1 Tr', 20)}`),
  'written twice to look bold': way((sentence) => `${say(sentence)} 1 0 0 1 0.3 0 cm ${say(sentence)}`),
  'on its side': way((sentence) => `0 1 -1 0 700 100 cm ${say(sentence)}`),
  'inside a clip': way((sentence) => `30 580 550 60 re W n ${say(sentence)}`),
  'in a page turned by its dictionary': way((sentence) => say(sentence), { page: '/Rotate 90' }),
  'a layer that is on': way((sentence) => `/OC /L BDC ${say(sentence)} EMC`, layer('/ON [6 0 R]')),
}

/** It may be seen: the reader is told that this is not known. */
export const doubtfulPdfs: Record<string, PdfWay> = {
  'the words of a scan': way((sentence) => `q 600 0 0 800 0 0 cm /Im Do Q ${say(sentence, '3 Tr')}`, {
    objects: [picture(stripes, 2)],
    resources: '/XObject << /Im 6 0 R >>',
  }),
  'own letters': inOwnFont('600 0 d0 50 0 400 600 re f'),
  'lightened by the page': way((sentence) => `/G gs 0 g ${say(sentence)}`, state('/BM /Lighten')),
  'on a gradient': way((sentence) => `q 40 590 500 30 re W n /Sh sh Q 1 g ${say(sentence)}`, {
    resources:
      '/Shading << /Sh << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 600 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [0.3] /N 1 >> >> >>',
  }),
}
