export interface NoticeTables {
  notices: NoticeTable
  /** `settings`: JSON; null until the person has changed any. */
  notice_settings: {
    user_id: string
    settings: string | null
    mailed_at: number | null
    mail_problem: string | null
  }
  /** `state`: `follow` or `mute`. */
  follows: { thread: number; user_id: string; state: string }
  push_browsers: PushBrowserTable
}

/** One row per person and thing: what happens to it again while unread raises its count. */
interface NoticeTable {
  id: string
  user_id: string
  /** The thing, such as `mail:thr_…`. */
  about: string
  kind: string
  inbox: number | null
  thread: number | null
  /** JSON: who did it, and what else the link needs. */
  data: string
  count: number
  rung_at: number
  read_at: number | null
  on_page: number
  /** When each way is due; null: not, or no longer. */
  page_at: number | null
  push_at: number | null
  pushed_at: number | null
  push_tries: number
  mail_at: number | null
  mailed_at: number | null
  mail_tries: number
}

interface PushBrowserTable {
  id: string
  user_id: string
  /** Pushes end with the session that asked for them. */
  session_id: string
  endpoint: string
  p256dh: string
  auth: string
  device: string | null
  created_at: number
  last_used_at: number | null
  /** Why the last push failed. */
  problem: string | null
}
