/** Whoever may read may say what they have read, where they are, and who they are no longer. */
export const ofOneself = new Set([
  'endSession',
  'signOutEverywhere',
  'changePassword',
  'changeProfile',
  'makeToken',
  'revokeToken',
  'makeAgent',
  'markRead',
  'markUnread',
  'changeThreads',
  'changeMatching',
  'changeFound',
  'undoChange',
  'setPresence',
  'saveView',
  'removeView',
  'readNotices',
  'followThread',
  'changeNoticeSettings',
  'testNotices',
  'addNoticeBrowser',
  'removeNoticeBrowser',
])

/** They need something that no single request brings about: a draft in another state, a second thread. */
export const walkedWithoutSuccess = new Set([
  // The mail of the walk has none.
  'getRemotePicture',
  'endSession',
  'changePassword',
  'joinThreads',
  'undoChange',
  'editNote',
  'confirmDraft',
  'takeBackDraft',
  'settleDraft',
  'detachFile',
  'getDraftFile',
  'retryDelivery',
  'getConsent',
  'giveConsent',
  // They have no browser at that moment.
  'removeNoticeBrowser',
])
