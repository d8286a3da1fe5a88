import { fold, isBlank, phrases, skipBlank } from './lines.ts'

/** Phrases between dashes that announce an older message below. */
const originalPhrases = new Set(
  phrases(`
    original message | original appointment | mail original | ursprüngliche mail |
    ursprüngliche nachricht | originalnachricht |
    original-nachricht | ursprünglicher termin | message d'origine | message original | message initial |
    mensaje original | messaggio originale | messaggio originario | oorspronkelijk bericht |
    origineel bericht | mensagem original | wiadomość oryginalna | oryginalna wiadomość |
    treść oryginalnej wiadomości | ursprungligt meddelande | originalmeddelande | oprindelig meddelelse |
    oprindelig besked | original besked | original meddelelse | opprinnelig melding | alkuperäinen viesti |
    původní zpráva | исходное сообщение | оригинальное сообщение | 元のメッセージ | 原始邮件 | 邮件原件 | 原始郵件 | 원본 메시지 |
    початкове повідомлення | вихідне повідомлення | orijinal i̇leti | orijinal mesaj | özgün ileti |
    eredeti üzenet | mesaj original | αρχικό μήνυμα | thư gốc | tin nhắn gốc | الرسالة الأصلية |
    رسالة أصلية | הודעה מקורית | pesan asli | původní e-mail | pôvodná správa | opprinnelig e-post
  `),
)

const forwardPhrases = new Set(
  phrases(`
    forwarded message | forwarded by | weitergeleitete nachricht | message transféré | message transmis |
    mensaje reenviado | messaggio inoltrato | doorgestuurd bericht | mensagem encaminhada |
    mensagem reencaminhada | przekazana wiadomość | wiadomość przekazana | treść przekazanej wiadomości |
    vidarebefordrat meddelande | vidarebefordrat mail | videresendt meddelelse | videresendt melding |
    videresendt e-post | välitetty viesti | edelleenlähetetty viesti | přeposlaná zpráva |
    пересылаемое сообщение | перенаправленное сообщение | 転送メッセージ | forwarded message from | 转发的邮件 |
    转发邮件信息 | 轉寄郵件 | 转发的消息 | 轉寄的郵件 | 전달된 메시지 | переслане повідомлення | i̇letilmiş mesaj | i̇letilen mesaj |
    továbbított üzenet | mesaj redirecționat | προωθημένο μήνυμα | thư đã chuyển tiếp | رسالة محولة |
    رسالة معاد توجيهها | הודעה מועברת | הודעה שהועברה | pesan yang diteruskan | preposlaná správa
  `),
)

/** Apple Mail writes a sentence instead of dashes. */
const forwardSentences = new Set(
  phrases(`
    begin forwarded message | anfang der weitergeleiteten nachricht | début du message réexpédié |
    début du message transféré | inicio del mensaje reenviado | inizio messaggio inoltrato |
    begin doorgestuurd bericht | início da mensagem encaminhada | início da mensagem reencaminhada |
    początek przekazywanej wiadomości | vidarebefordrat brev | start på videresendt besked |
    videresendt melding | välitetty viesti alkaa | začátek přeposlané zprávy |
    начало переадресованного сообщения | початок листа, що пересилається | i̇letilen ileti başlangıcı |
    továbbított levél kezdete | începutul mesajului redirecționat | αρχή προωθημένου μηνύματος |
    bắt đầu thư được chuyển tiếp | بداية الرسالة المُعاد توجيهها | תחילת ההודעה שהועברה |
    memulai pesan terusan | 下面是被转发的邮件 | 以下是被轉寄的郵件 | 転送されたメッセージ | 아래는 전달된 메시지입니다
  `),
)

type Role = 'from' | 'date' | 'to' | 'subject'

/** The names of header fields in many languages. */
const fieldNames: Record<Role, string> = {
  from: `
    from | von | de | da | van | od | från | fra | lähettäjä | от | 差出人 | 发件人 | 寄件者 | 寄件人 | 보낸사람 |
    expéditeur | remitente | mittente | afzender | avsändare | avsender | odesílatel | відправник |
    feladó | kimden | gönderen | από | dari | từ | người | מאת | من | від | gửi | จาก | saatja | nuo |
    frá | de la | 보낸 사람
  `,
  date: `
    sent | date | gesendet | datum | envoyé | enviado | enviada | fecha | inviato | data | verzonden |
    wysłano | skickat | sendt | dato | lähetetty | päivämäärä | odesláno | отправлено | дата | 送信日時 | 日時 |
    日付 | 发送时间 | 发送日期 | 日期 | 時間 | 时间 | 寄件日期 | 보낸날짜 | dátum | elküldve | надіслано | gönderilen | tarih |
    ημερομηνία | στάλθηκε | tanggal | terkirim | ngày | נשלח | תאריך | التاريخ | gönderildi | tarihi |
    dikirim | trimis | εστάλη | küldve | küldés | lähetyspäivä | отправлен | 傳送時間 | ส่ง | wysłane |
    odoslané | poslano | poslato | изпратено | enviat | saadetud | išsiųsta | nosūtīts | enviat el |
    date et heure | envoyé le | message du | đã gửi | gönderme tarihi | تم الإرسال | enviado el |
    enviada em | enviado em | data wysłania | data trimiterii | ngày gửi | 보낸 날짜
  `,
  to: `
    to | an | à | para | a | aan | do | till | til | vastaanottaja | komu | кому | 宛先 | 收件人 | 收件者 | 받는사람 |
    cc | destinataire | destinatario | címzett | kime | προς | kepada | tới | אל | إلى | copie | kopie |
    kopia | cópia | către | đến | ke | alıcı | одержувач | ถึง | prima | za | до | adressaat | kam |
    per a | copie à | 받는 사람
  `,
  subject: `
    subject | betreff | objet | asunto | oggetto | onderwerp | assunto | temat | ämne | emne | aihe |
    předmět | тема | 件名 | 主题 | 主旨 | 주제 | 제목 | sujet | tárgy | konu | θέμα | perihal | subjek | נושא |
    الموضوع | subiect | เรื่อง | predmet | zadeva | относно | assumpte | teema | tēma | tema | efni |
    chủ đề
  `,
}

const labels = new Map(
  Object.entries(fieldNames).flatMap(([role, names]) =>
    phrases(names).map((name): [string, Role] => [name, role as Role]),
  ),
)

const mostHeaderLines = 12

/** The phrase between two runs of dashes, in lower case. */
function phraseOf(line: string): string | null {
  if (line.length > 120 || line.length < 8 || !mayBeRule(line)) return null
  if (!/^\s{0,8}[-—–=]{2}/.test(line)) return null
  const bare = fold(line)
  return bare
    .replace(/^[-—–= ]+/, '')
    .replace(/[-—–= :]+$/, '')
    .replaceAll('’', "'")
}

export function isForwardMarker(line: string): boolean {
  if (line.length < 8 || line.length > 120) return false
  const phrase = phraseOf(line)
  if (phrase !== null) return forwardPhrases.has(phrase)
  if (!endsInColon(line)) return false
  const bare = fold(line)
  return forwardSentences.has(bare.replace(/ ?[:：]$/, ''))
}

/** Whether an older message starts here: a divider of dashes, or a block of its headers, with or without a rule. */
export function startsOlderMessage(
  lines: readonly string[],
  roles: Roles,
  at: number,
  isFirst: boolean,
): boolean {
  const line = lines[at]!
  const phrase = phraseOf(line)
  if (phrase !== null && originalPhrases.has(phrase)) return true
  if (line.length < 10 || !isRule(line)) return startsHeaderBlock(lines, roles, at, isFirst)
  const next = skipBlank(lines, at + 1, Math.min(lines.length, at + 4))
  return next < lines.length && startsHeaderBlock(lines, roles, next, isFirst)
}

/** Called for every line of a mail, so the first character is checked before any regular expression. */
function mayBeRule(line: string): boolean {
  const first = line.charCodeAt(0)
  const isLetter = (first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a)
  return !isLetter
}

/** Ignores trailing white space. */
function endsInColon(line: string): boolean {
  const last = line.charCodeAt(line.length - 1)
  return last === 0x3a || ((last <= 0x20 || last > 0x7f) && /[:：]\s{0,4}$/.test(line))
}

export function isRule(line: string): boolean {
  if (!mayBeRule(line)) return false
  const bare = line.trim()
  return bare.length >= 10 && bare.length <= 200 && /^(?:_+|-+|=+|\*+|(?:-=)+-?)$/.test(bare)
}

/** The role a line would have in a block of headers; each line is read at most once, because blocks may overlap. */
export type Roles = (at: number) => Role | null

export function readRoles(lines: readonly string[]): Roles {
  const known: (Role | null)[] = []
  return (at) => {
    let role = known[at]
    if (role === undefined) known[at] = role = readLabel(lines[at] ?? '')
    return role
  }
}

/**
 * Sender, date and subject must all be there, and an address or a time: "From: Berlin To: Hamburg" is a journey, not a
 * message. In a first mail, the recipient too, also below a rule: what a website sends for its visitors has none.
 */
function startsHeaderBlock(lines: readonly string[], roles: Roles, at: number, isFirst: boolean): boolean {
  const first = roles(at)
  // A message shown as part of the sender's own text is indented, but so may be labels that a program marked as bold.
  if (first === null || /^(?: {2,}|\t)\s*[^*\s]/.test(lines[at]!.slice(0, 40))) return false
  if (first === 'date' || first === 'subject') return isWholeBlock(lines, roles, at, isFirst)
  if (first !== 'from') return false
  const isBelowRule = !isFirst && /^[-_]{3}/.test(lines[at - 1] ?? '')
  const isAddressed = isBelowRule && lines[at]!.slice(0, 300).includes('@')
  if (isAddressed && datesOnSameLine(lines[at]!)) return true
  let dated = false
  let titled = false
  let telling = false
  let addressed = !isFirst
  let strange = 0
  for (let i = at; i < lines.length && i < at + mostHeaderLines; i++) {
    const role = roles(i)
    // Below a rule, an address with a full date and time is as good as a subject.
    if (role === 'date' && isAddressed && isMoment(lines[i]!)) return true
    if (role === 'date') dated = true
    else if (role === 'subject') titled = true
    else if (role === 'to') addressed = true
    else if (role === 'from' && i > at) break
    else if (!role && !isBlank(lines[i]!) && ++strange > 3) break
    telling ||= isTelling(lines[i]!, role, isFirst)
    if (dated && titled && telling && addressed) return !isForm(lines, at)
  }
  return false
}

/** What a form on a website asked for: the message itself is one of its fields, or right below them. */
function isForm(lines: readonly string[], at: number): boolean {
  const most = Math.min(lines.length, at + mostHeaderLines)
  let end = at
  while (end < most && !isBlank(lines[end]!)) end++
  const next = skipBlank(lines, end, most)
  return lines.slice(at, Math.min(most, next + 1)).some((line) => formFields.test(line.slice(0, 40)))
}
const formFields =
  /^\*?(?:(?:your |ihre )?(?:message|nachricht|anfrage|mensaje|messaggio|mensagem|wiadomość)|message body|comments?|kommentar) ?[:：]/i

/**
 * Programs write addresses and the time of day; a journey, an order or a lesson often has neither. In a first mail a time
 * is not enough: a notice of a call or a fax has one.
 */
function isTelling(line: string, role: Role | null, isFirst: boolean): boolean {
  const start = line.slice(0, 300)
  return role === 'date' && !isFirst
    ? /(?<![.\d])\d{1,2} ?[:.h時时點点] ?\d\d(?![.\d])/.test(fold(start))
    : role !== null && start.includes('@')
}

function isMoment(line: string): boolean {
  return /\b(?:19|20)\d\d\b/.test(line.slice(0, 120)) && /\d{1,2}[:.]\d\d/.test(line.slice(0, 120))
}

/** "From: carla@brandt.example Date: Tue, 3 Nov 2026 10:42" */
function datesOnSameLine(line: string): boolean {
  const second = /\s(\p{L}{2,20}[:：]\s.*)$/u.exec(line.slice(0, 200))?.[1]
  return second !== undefined && readLabel(second) === 'date' && isMoment(second)
}

/** The header of a pasted message. In a reply, programs put date or recipient after the sender, and no Message-ID. */
export function isRawHeader(lines: readonly string[], roles: Roles, at: number): boolean {
  if (roles(at) === 'from' && roles(at + 1) === 'subject') return true
  return lines
    .slice(at, at + mostHeaderLines)
    .some((line) => /^(?:message-id|user-agent|x-mailer|mime-version|return-path|received):/i.test(line))
}

/** Whether lines marked as a header look like one in any language: labels with values, one a date or an address. */
export function looksLikeHeader(lines: readonly string[], from: number, to: number): boolean {
  const first = skipBlank(lines, from, Math.min(to, from + 3))
  let labelled = 0
  let telling = false
  for (let at = first; at < to && labelled < mostHeaderLines; at++) {
    const line = fold(lines[at]!.slice(0, 300))
    if (isBlank(line)) break
    if (!/^[^\s:：][^:：]{0,30}[:：]\s?\S/.test(line.slice(0, 80))) {
      if (labelled === 0) return false
      continue
    }
    // The sender comes first: "Order: 4711" is none.
    if (labelled === 0 && /\d/.test(line) && !line.includes('@')) return false
    labelled++
    telling ||= /@|\d[:.h時时]\d\d|\d{4}/.test(line)
  }
  return labelled >= 3 && telling
}

/** A block that begins with a field other than the sender must have all four fields and no other line among them. */
function isWholeBlock(lines: readonly string[], roles: Roles, at: number, isFirst: boolean): boolean {
  const found = new Set<Role>()
  let telling = false
  for (let i = at; i < lines.length && i < at + mostHeaderLines; i++) {
    const role = roles(i)
    if (role === null) break
    found.add(role)
    telling ||= isTelling(lines[i]!, role, isFirst)
  }
  return found.size === 4 && telling
}

/** Whether a quoted line is a header field, as Hotmail quotes it above a message. */
export function isHeaderLine(line: string): boolean {
  return readLabel(line) !== null
}

function readLabel(line: string): Role | null {
  const colon = findColon(line)
  return colon < 1 ? null : (labels.get(fold(line.slice(0, colon))) ?? null)
}

function findColon(line: string): number {
  const head = line.length > 40 ? line.slice(0, 40) : line
  const narrow = head.indexOf(':')
  const wide = head.indexOf('：')
  return narrow === -1 || (wide !== -1 && wide < narrow) ? wide : narrow
}

const handOvers = [
  /^(?:fyi|fwiw|forwarding|please see below|see below|for your information)\b/,
  /^(?:zur info|zur kenntnis|z\. ?k\.|zk\b|siehe unten|s\. u\.|weitergeleitet)/,
  /^(?:pour info|pour information|voir ci-dessous|para tu información|para su información|per conoscenza)/,
  /^(?:ter info|ter informatie|zie onder|para informação|do wiadomości|för kännedom|til orientering)/,
]

/** Outlook's forwards look like its replies; a short note such as "FYI" at the start tells them apart. */
export function isHandOver(words: string): boolean {
  const bare = fold(words.slice(0, 200))
  return bare.length > 0 && bare.length <= 80 && handOvers.some((start) => start.test(bare))
}
