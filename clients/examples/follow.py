from overturn import Client

client = Client()  # also reads OVERTURN_API_TOKEN
cursor, more = "start", True  # later: the cursor that you stored
while more:
    page = client.denials.list_denials(limit=100, changes_after=cursor)
    for denial in page["denials"]:
        print(denial["claim_number"], denial["status"])
    cursor, more = page["changes_cursor"], page["more"]
print("store", cursor)
