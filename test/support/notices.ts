import { noticeKinds, type NoticeKind } from '../../src/model/notices/words.ts'
import {
  usualSettings,
  type Notice,
  type NoticeChoice,
  type NoticeSettings,
} from '../../src/model/notices/notices.ts'
import type { PushServiceOfTests, Subscription } from './push-service.ts'
import type { WebClient } from './web-client.ts'

export const everyWay: NoticeChoice = { page: true, push: true, mail: 'now' }

export function settingsWith(choice: NoticeChoice, more: Partial<NoticeSettings> = {}): NoticeSettings {
  const kinds = Object.fromEntries(noticeKinds.map((kind) => [kind, choice])) as Record<
    NoticeKind,
    NoticeChoice
  >
  return { ...usualSettings, kinds, ...more }
}

/** Subscribes a new browser and enables every notice by every channel. */
export async function listen(
  page: WebClient,
  service: PushServiceOfTests,
  settings = settingsWith(everyWay),
): Promise<Subscription> {
  const browser = service.subscribe()
  await page.do('POST', '/notices/browsers', browser)
  await page.do('PUT', '/notices/settings', settings)
  return browser
}

export async function noticesOf(page: WebClient): Promise<Notice[]> {
  return (await page.do<{ data: Notice[] }>('GET', '/notices?limit=100')).data
}
