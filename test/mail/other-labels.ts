/** Where a label and the contract disagree: at most one in eight. */
export const otherwiseLabelled = new Map([
  // A closing or a name without a delimiter is the writer's own; a marked or delimited signature is none.
  ['crisp/email_15', 'a closing without a delimiter'],
  ['crisp/email_german_3', 'a closing without a delimiter'],
  ['crisp/email_with_regards', 'a closing without a delimiter'],
  ['talon-sig/jeff', 'a closing without a delimiter'],
  ['talon-sig/johndoeexamplecom', 'a closing without a delimiter'],
  ['talon-sig/long', 'a closing without a delimiter'],
  ['talon-sig/short_url', 'a closing without a delimiter'],
  ['talon-sig/sparse', 'a closing without a delimiter'],
  ['talon-html/reply_separated_by_hr', 'a name without a delimiter'],
  ['talon-eml/iphone', 'keeps a signature'],
  ['talon-eml/outlook', 'keeps a signature'],
  ['talon-eml/sparrow', 'keeps a signature'],
  // Nothing but the element says that it is history, and people indent by it.
  ['talon-html/blockquote_disclaimer', 'a quote that nothing introduces'],
  // `newText` is made of whole lines.
  ['talon-plain/reply_and_quotation_splitter_share_line', 'own words and an attribution on one line'],
  ['talon-plain/reply_and_quotation_splitter_share_line_2', 'own words and an attribution on one line'],
  ['talon-plain/reply_and_quotation_splitter_share_line_3', 'own words and an attribution on one line'],
])
