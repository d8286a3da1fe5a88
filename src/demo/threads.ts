import type { DemoThread } from './thread.ts'
import { customWork } from './threads/custom-work.ts'
import { deliveries } from './threads/delivery.ts'
import { everyday } from './threads/everyday.ts'
import { invoices } from './threads/invoices.ts'
import { longDiscussions } from './threads/long-discussions.ts'
import { machines } from './threads/machines.ts'
import { orderRequests } from './threads/order-requests.ts'
import { orders } from './threads/orders.ts'
import { payments } from './threads/payments.ts'
import { productQuestions } from './threads/products.ts'
import { receipts } from './threads/receipts.ts'
import { returns } from './threads/returns.ts'
import { spam } from './threads/spam.ts'
import { stories } from './threads/stories.ts'
import { suppliers } from './threads/suppliers.ts'
import { wholesale } from './threads/wholesale.ts'

export const demoThreads: DemoThread[] = [
  ...stories,
  ...orders,
  ...orderRequests,
  ...deliveries,
  ...returns,
  ...productQuestions,
  ...customWork,
  ...wholesale,
  ...everyday,
  ...longDiscussions,
  ...machines,
  ...spam,
  ...invoices,
  ...payments,
  ...receipts,
  ...suppliers,
]
