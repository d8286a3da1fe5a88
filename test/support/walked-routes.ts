/** Routes with which any reader changes only what is their own, such as read state, presence and sessions. */
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

/** These need a state that no single request creates: a draft in another status, a second thread. */
export const walkedWithoutSuccess = new Set([
  // The mail in this test has no remote picture.
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
  // Its link must have been made a moment ago.
  'mailLink',
  'getConsent',
  'giveConsent',
  // No browser is subscribed at that moment.
  'removeNoticeBrowser',
])
