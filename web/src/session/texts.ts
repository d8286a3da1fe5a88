/** Texts for signing in, the first account, the first inbox, invitations and new passwords. In a separate file, because they are rarely shown. */
export const texts = {
  signIn: {
    title: 'Sign in to Spool',
    again: 'Your session has ended',
    againText: 'Sign in to continue. What you typed is still here.',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    instead: 'Sign in instead',
    notSetUp: (link: string) =>
      `Spool isn't set up yet. Open the link that the server printed when it started (${link}) to create the first admin account. It prints a new link every hour.`,
  },
  forgotten: {
    title: 'Forgot your password?',
    askAdmin:
      "Ask an admin for a link to choose a new one: they create it in the settings, under People and roles. If you're the only admin, set a new one with a command on the server: spool user set YOUR-ADDRESS --password-stdin.",
    submit: 'Send me a link',
    asked:
      "If there is an account with this address, a link to choose a new password is on its way. It works once, within an hour. If it doesn't arrive, ask an admin for one.",
  },
  setUp: {
    title: 'Set up Spool',
    text: 'Create the first admin account. This link works only once.',
    name: 'Your name',
    newPassword: 'Password (at least 10 characters)',
    submit: 'Get started',
    over: "This link can't be used",
    noToken: 'This link is incomplete. Open the full link that the server printed when it started.',
  },
  stopped: {
    said: (name: string) => `${name} isn't receiving mail: its mail provider rejected the sign-in.`,
    look: 'Sign in again',
  },
  noInbox: {
    admin: 'No mailbox is connected yet. Connect one to read and answer its mail here.',
    others: "You don't have access to an inbox yet. Ask an admin for access.",
    connect: 'Connect a mailbox',
  },
  invitation: {
    title: 'Welcome to Spool',
    text: (name: string, email: string) => `${name}, choose a password for ${email}.`,
    submit: 'Join',
    gone: 'This invitation has been used or has expired. Ask an admin for a new one.',
  },
  reset: {
    title: 'Choose a new password',
    text: (name: string, email: string) =>
      `${name}, choose a new password for ${email}. This signs you out everywhere else, revokes your tokens and disables your webhooks, in case someone knew the old one.`,
    submit: 'Set password and sign in',
    gone: 'This link has been used or has expired. Ask an admin for a new one.',
  },
}
