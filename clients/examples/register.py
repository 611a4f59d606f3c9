import os

from overturn import Client

client = Client()  # also reads OVERTURN_API_TOKEN
hook = client.webhooks.create_webhook({"url": os.environ["HOOK_URL"], "events": ["claim.status_changed"]})
print(hook["secret"])
