import { runCommand } from './cli/program.ts'

// A reader that has seen enough, such as `head`, closes the pipe: the command has not failed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runCommand(process.argv.slice(2), process.env)
