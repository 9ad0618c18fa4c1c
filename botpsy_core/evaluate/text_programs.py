"""Posts, messages and tickets in memory: the side programs of a public suite's car cases."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

type Result = Mapping[str, Any]
type _Functions = Mapping[str, Callable[..., Result]]

_LOGGED_OUT: Result = {"error": "Nobody is logged in."}


class PostProgram:
    """Short public posts of one user."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        """Take user, posts and counter."""
        self.user = str(first.get("username", "john"))
        self.password = str(first.get("password", "john123"))
        self.logged_in = bool(first.get("authenticated", False))
        self.posts: dict[int, dict[str, Any]] = {int(k): dict(v) for k, v in (first.get("tweets") or {}).items()}
        self.counter = int(first.get("tweet_counter", 0))
        self.comments: dict[int, list[dict[str, str]]] = {}
        self.shared: list[int] = []
        self.following: list[str] = list(first.get("following_list", ["alice", "bob"]))

    def functions(self) -> _Functions:
        """Return the functions by name."""
        return {
            "authenticate_twitter": self._log_in,
            "posting_get_login_status": lambda: {"login_status": self.logged_in},
            "post_tweet": self._post,
            "retweet": self._share,
            "comment": self._comment,
            "mention": self._mention,
            "follow_user": self._follow,
            "unfollow_user": self._unfollow,
            "list_all_following": lambda: {"following": self.following},
            "get_tweet": lambda tweet_id: self.posts[tweet_id],
            "get_user_tweets": lambda username: {
                "tweets": [p for p in self.posts.values() if p["username"] == username]
            },
            "search_tweets": self._search,
            "get_tweet_comments": lambda tweet_id: {"comments": self.comments.get(tweet_id, [])},
            "get_user_stats": lambda username: {
                "tweet_count": sum(p["username"] == username for p in self.posts.values()),
                "following_count": len(self.following) if username == self.user else 0,
            },
        }

    def _log_in(self, username: str, password: str) -> Result:
        self.logged_in = (username, password) == (self.user, self.password)
        return {"authentication_status": self.logged_in}

    def _post(self, content: str, tags: Sequence[str] = (), mentions: Sequence[str] = ()) -> Result:
        if not self.logged_in:
            return _LOGGED_OUT
        post = {"id": self.counter, "username": self.user, "content": content}
        post |= {"tags": list(tags), "mentions": list(mentions)}
        self.posts[self.counter] = post
        self.counter += 1
        return post

    def _share(self, tweet_id: int) -> Result:
        if not self.logged_in:
            return _LOGGED_OUT
        if tweet_id not in self.posts:
            return {"error": f"There is no post {tweet_id}."}
        again = tweet_id in self.shared
        self.shared += [] if again else [tweet_id]
        return {"retweet_status": "Already retweeted" if again else "Successfully retweeted"}

    def _comment(self, tweet_id: int, comment_content: str) -> Result:
        if not self.logged_in:
            return _LOGGED_OUT
        if tweet_id not in self.posts:
            return {"error": f"There is no post {tweet_id}."}
        self.comments.setdefault(tweet_id, []).append({"username": self.user, "content": comment_content})
        return {"comment_status": "Comment added successfully"}

    def _mention(self, tweet_id: int, mentioned_usernames: Sequence[str]) -> Result:
        self.posts[tweet_id]["mentions"] = [*self.posts[tweet_id]["mentions"], *mentioned_usernames]
        return {"mention_status": "Users mentioned successfully"}

    def _follow(self, username_to_follow: str) -> Result:
        if not self.logged_in:
            return _LOGGED_OUT
        new = username_to_follow not in self.following
        self.following += [username_to_follow] if new else []
        return {"follow_status": new}

    def _unfollow(self, username_to_unfollow: str) -> Result:
        if not self.logged_in:
            return _LOGGED_OUT
        known = username_to_unfollow in self.following
        self.following = [name for name in self.following if name != username_to_unfollow]
        return {"unfollow_status": known}

    def _search(self, keyword: str) -> Result:
        found = [p for p in self.posts.values() if keyword.lower() in f"{p['content']} {p['tags']}".lower()]
        return {"matching_tweets": found}


class MessageProgram:
    """Messages between the people of one workplace."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        """Take people, what was sent, and who is logged in."""
        names = ("Alice", "Bob", "Catherine", "Daniel")
        self.people: dict[str, str] = dict(
            first.get("user_map") or {name: f"USR{i:03}" for i, name in enumerate(names, 1)}
        )
        self.sent: list[tuple[str, Any]] = [(k, v) for entry in first.get("inbox") or () for k, v in entry.items()]
        user = first.get("current_user")
        self.user: str | None = None if user is None else str(user)

    def functions(self) -> _Functions:
        """Return the functions by name."""
        return {
            "list_users": lambda: {"user_list": list(self.people)},
            "get_user_id": self._id,
            "message_login": self._log_in,
            "message_get_login_status": lambda: {"login_status": self.user is not None},
            "send_message": self._send,
            "delete_message": self._delete,
            "view_messages_sent": self._view,
            "add_contact": self._add,
            "search_messages": self._search,
            "get_message_stats": lambda: {"stats": {"total_count": len(self.sent), "total_contacts": len(self.people)}},
        }

    def _id(self, user: str) -> Result:
        return {"user_id": self.people[user]} if user in self.people else {"error": f"There is nobody called {user}."}

    def _log_in(self, user_id: str) -> Result:
        if user_id not in self.people.values():
            return {"error": f"There is no user {user_id}."}
        self.user = user_id
        return {"login_status": True, "message": f"User '{user_id}' logged in successfully."}

    def _send(self, receiver_id: str, message: str) -> Result:
        if self.user is None:
            return _LOGGED_OUT
        if receiver_id not in self.people.values():
            return {"error": f"There is no user {receiver_id}."}
        self.sent.append((receiver_id, message))
        told = f"Message sent to '{receiver_id}' successfully."
        return {"sent_status": True, "message_id": {"new_id": 67410}, "message": told}

    def _delete(self, receiver_id: str) -> Result:
        at = next((i for i in reversed(range(len(self.sent))) if self.sent[i][0] == receiver_id), None)
        if at is None:
            return {"error": f"Nothing was sent to {receiver_id}."}
        self.sent.pop(at)
        return {"deleted_status": True, "message": f"Message to '{receiver_id}' deleted."}

    def _view(self) -> Result:
        if self.user is None:
            return _LOGGED_OUT
        messages: dict[str, list[Any]] = {}
        for receiver, message in self.sent:
            messages.setdefault(receiver, []).append(message)
        return {"messages": messages}

    def _add(self, user_name: str) -> Result:
        if user_name in self.people:
            return {"error": f"{user_name} is a contact already."}
        self.people[user_name] = f"USR{len(self.people) + 1:03}"
        return {"added_status": True, "user_id": self.people[user_name]}

    def _search(self, keyword: str) -> Result:
        found = [{"receiver_id": r, "message": m} for r, m in self.sent if keyword.lower() in str(m).lower()]
        return {"results": found}


class TicketProgram:
    """Requests to a service team."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        """Take the tickets, the next number and who is logged in."""
        self.tickets: list[dict[str, Any]] = [dict(t) for t in first.get("ticket_queue") or ()]
        self.counter = int(first.get("ticket_counter", 1))
        user = first.get("current_user")
        self.user: str | None = None if user is None else str(user)

    def functions(self) -> _Functions:
        """Return the functions by name."""
        return {
            "ticket_login": self._log_in,
            "ticket_get_login_status": lambda: {"login_status": self.user is not None},
            "logout": self._log_out,
            "create_ticket": self._create,
            "get_ticket": self._get,
            "close_ticket": lambda ticket_id: self._end(ticket_id, "Closed", "closed"),
            "resolve_ticket": lambda ticket_id, resolution: self._end(ticket_id, "Resolved", "resolved", resolution),
            "edit_ticket": self._edit,
            "get_user_tickets": lambda status="None": {
                "tickets": [t for t in self.tickets if status in {"None", t["status"]}]
            },
        }

    def _log_in(self, username: str, password: str) -> Result:
        self.user = username if password else None
        return {"success": self.user is not None}

    def _log_out(self) -> Result:
        done, self.user = self.user is not None, None
        return {"success": done}

    def _create(self, title: str, description: str = "", priority: int = 1) -> Result:
        if self.user is None:
            return _LOGGED_OUT
        if not 1 <= priority <= 5:
            return {"error": "The priority goes from 1 to 5."}
        ticket = {"id": self.counter, "title": title, "description": description, "status": "Open"}
        ticket |= {"priority": priority, "created_by": self.user}
        self.tickets.append(ticket)
        self.counter += 1
        return ticket

    def _get(self, ticket_id: int) -> Result:
        return next((t for t in self.tickets if t["id"] == ticket_id), {"error": f"There is no ticket {ticket_id}."})

    def _end(self, ticket_id: int, status: str, done: str, resolution: str = "") -> Result:
        ticket = next((t for t in self.tickets if t["id"] == ticket_id), None)
        if ticket is None:
            return {"error": f"There is no ticket {ticket_id}."}
        ticket |= {"status": status, **({"resolution": resolution} if resolution else {})}
        return {"status": f"Ticket {ticket_id} has been {done} successfully."}

    def _edit(self, ticket_id: int, updates: Mapping[str, Any]) -> Result:
        ticket = next((t for t in self.tickets if t["id"] == ticket_id), None)
        if ticket is None:
            return {"error": f"There is no ticket {ticket_id}."}
        ticket |= {k: v for k, v in updates.items() if k in {"title", "description", "status", "priority"}}
        return {"status": f"Ticket {ticket_id} has been updated successfully."}
