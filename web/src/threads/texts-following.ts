export const followTexts = {
  follow: 'Follow this thread',
  unfollow: 'Stop following',
  mute: 'Mute this thread',
  unmute: 'Unmute',
  now: {
    follow: "You're following this thread. You'll be notified of new mail in it.",
    mute: "Muted. You won't be notified about this thread.",
    none: "You'll be notified as usual.",
  },
}
