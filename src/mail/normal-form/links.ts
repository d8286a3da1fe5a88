/** The links of a form: exactly those in its HTML. */

import type { MailLink } from '../../model/mail/mail.ts'
import { spend } from '../work.ts'
import { writeText } from './text.ts'
import type { Box } from './tree.ts'

export const mostLinks = 200
const longestText = 300

export function findLinks(box: Box, links: MailLink[] = []): MailLink[] {
  spend(1 + box.children.length)
  for (const child of box.children) {
    if (child.kind !== 'box' || links.length >= mostLinks) continue
    if (child.tag === 'a' && child.href !== null)
      links.push({ text: oneLine(writeText(child)), href: child.href })
    else findLinks(child, links)
  }
  return links
}

function oneLine(words: string): string {
  spend(words.length >> 2)
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, longestText).toWellFormed()
}
