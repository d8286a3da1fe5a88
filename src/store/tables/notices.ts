export interface NoticeTables {
  /** One row per person and subject: further events about the subject raise the count while the notice is unread. */
  notices: {
    id: string
    user_id: string
    /** The subject, such as `mail:thr_…`. */
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
    /** When each channel is due; null: not due, or no longer. */
    page_at: number | null
    push_at: number | null
    pushed_at: number | null
    push_tries: number
    mail_at: number | null
    mailed_at: number | null
    mail_tries: number
  }
  /** `settings`: JSON; null until the person has changed any. */
  notice_settings: {
    user_id: string
    settings: string | null
    mailed_at: number | null
    mail_problem: string | null
  }
  /** `state`: `follow` or `mute`. */
  follows: { thread: number; user_id: string; state: string }
  push_browsers: {
    id: string
    user_id: string
    /** Pushes end with the session that enabled them. */
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
}
