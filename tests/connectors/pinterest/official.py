"""What tests use of Pinterest's own client, apart: it takes a second to import, and few need it."""

from pinterestsdk.api.boards_api import BoardsApi
from pinterestsdk.api.media_api import MediaApi
from pinterestsdk.api.oauth_api import OauthApi
from pinterestsdk.api.pins_api import PinsApi
from pinterestsdk.api.user_account_api import UserAccountApi
from pinterestsdk.api_client import ApiClient
from pinterestsdk.configuration import Configuration
from pinterestsdk.exceptions import BadRequestException, NotFoundException, UnauthorizedException
from pinterestsdk.models.account import Account
from pinterestsdk.models.boards_list200_response import BoardsList200Response
from pinterestsdk.models.boards_list_pins200_response import BoardsListPins200Response
from pinterestsdk.models.media import Media
from pinterestsdk.models.media_upload import MediaUpload
from pinterestsdk.models.media_upload_create import MediaUploadCreate
from pinterestsdk.models.media_upload_type import MediaUploadType
from pinterestsdk.models.oauth_access_token import OauthAccessToken
from pinterestsdk.models.pin import Pin
from pinterestsdk.models.pin_analytics_metrics_response import PinAnalyticsMetricsResponse
from pinterestsdk.models.pin_create import PinCreate
from pinterestsdk.models.pin_media_with_image import PinMediaWithImage
from pinterestsdk.models.querypinanalyticsmetrictypes_items import (
    QuerypinanalyticsmetrictypesItems as Kind,
)
from pinterestsdk.models.token_grant_type import TokenGrantType
from pinterestsdk.models.user_account_type import UserAccountType

__all__ = [
    "Account",
    "ApiClient",
    "BadRequestException",
    "BoardsApi",
    "BoardsList200Response",
    "BoardsListPins200Response",
    "Configuration",
    "Kind",
    "Media",
    "MediaApi",
    "MediaUpload",
    "MediaUploadCreate",
    "MediaUploadType",
    "NotFoundException",
    "OauthAccessToken",
    "OauthApi",
    "Pin",
    "PinAnalyticsMetricsResponse",
    "PinCreate",
    "PinMediaWithImage",
    "PinsApi",
    "TokenGrantType",
    "UnauthorizedException",
    "UserAccountApi",
    "UserAccountType",
]
