import type { Command } from 'commander'
import { readBridgeConfig } from '../config.ts'
import { runBridge } from '../mcp/bridge.ts'
import type { Environment } from './command.ts'

/** Only talks to a running server: its caller gets no more access to the store than its token allows. */
export function addMcp(program: Command, environment: Environment): void {
  program
    .command('mcp')
    .description('MCP over stdio, a bridge to SPOOL_URL with SPOOL_TOKEN')
    .option('--json', 'as always: the protocol is JSON')
    .action(async () => {
      const { url, token } = readBridgeConfig(environment)
      await runBridge({ url, token, input: process.stdin, output: process.stdout })
    })
}
