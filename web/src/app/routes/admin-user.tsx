import { useParams } from '@tanstack/react-router'
import { AdminGate } from '@/features/admin/admin-gate'
import { UserPage } from '@/features/admin/user/user-page'

export function AdminUserPage() {
  const { userId } = useParams({ from: '/admin/users/$userId' })
  return (
    <AdminGate>
      <UserPage key={userId} id={userId} />
    </AdminGate>
  )
}
