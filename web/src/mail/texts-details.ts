/** Texts of a mail's details, which are loaded when first shown. */
export const detailTexts = {
  from: 'From',
  replyTo: 'Reply to',
  to: 'To',
  cc: 'Cc',
  date: 'Date',
  checks: 'Sender checks',
  hidden: 'Removed',
  unchecked: 'not checked',
}
